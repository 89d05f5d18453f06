import { randomBytes } from 'node:crypto'

interface FakePayment {
  id: string
  receivedDate: number
  value: string
  fee: string
  status: 'Invalid' | 'Processing' | 'Settled'
  destination: string
}

/** An invoice of the Greenfield API, with the paid amount. */
export interface FakeInvoice {
  id: string
  storeId: string
  type: 'Standard'
  amount: string
  currency: string
  metadata: { orderId?: string; closed?: boolean }
  checkout: { redirectURL: string; expirationMinutes: number; speedPolicy: string; defaultLanguage?: string }
  status: 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
  additionalStatus: 'None' | 'PaidPartial' | 'PaidLate' | 'PaidOver' | 'Marked' | 'Invalid'
  archived: boolean
  createdTime: number
  expirationTime: number
  monitoringExpiration: number
  methods: { paymentMethodId: string; currency: string; rate: string; payments: FakePayment[] }[]
}

/** The body of an event. */
export interface BtcpayEvent {
  deliveryId: string
  webhookId: string
  originalDeliveryId: string
  isRedelivery: boolean
  type: string
  timestamp: number
  storeId: string
  invoiceId: string
  metadata: FakeInvoice['metadata']
}

/** Dollars per coin. */
const RATE = 50_000
const DAY = 86_400

const newId = (): string => randomBytes(16).toString('hex').slice(0, 22)

export type BtcpayBookkeeping = Omit<ReturnType<typeof createBtcpayBooks>, 'invoices'>

/** What happens to invoices. Each change creates the events that BTCPay Server would send. */
export function createBtcpayBooks(storeId: string, clock: () => number, add: (event: BtcpayEvent) => void) {
  const invoices = new Map<string, FakeInvoice>()
  const now = (): number => Math.floor(clock() / 1000)

  const must = (id: string): FakeInvoice => {
    const invoice = invoices.get(id)
    if (!invoice) throw new Error(`The fake has no ${id}`)
    return invoice
  }

  function emit(type: string, { id, metadata }: FakeInvoice): BtcpayEvent {
    const deliveryId = newId()
    const event: BtcpayEvent = {
      deliveryId,
      webhookId: 'FakeWebhook11111111111',
      originalDeliveryId: deliveryId,
      isRedelivery: false,
      type,
      timestamp: now(),
      storeId,
      invoiceId: id,
      metadata,
    }
    add(event)
    return event
  }

  /** Receives coins worth this amount in the currency of the invoice. */
  function receive(invoice: FakeInvoice, worth: number): void {
    const payment: FakePayment = {
      id: `${randomBytes(32).toString('hex')}-0`,
      receivedDate: now(),
      value: (worth / RATE).toFixed(8),
      fee: '0.0',
      status: 'Processing',
      destination: 'bcrt1qfake',
    }
    invoice.methods[0]?.payments.push(payment)
    emit('InvoiceReceivedPayment', invoice)
  }

  const payments = (invoice: FakeInvoice): FakePayment[] => invoice.methods.flatMap((method) => method.payments)
  const worth = (invoice: FakeInvoice): number =>
    payments(invoice).reduce((sum, { value, status }) => sum + (status === 'Invalid' ? 0 : Number(value) * RATE), 0)

  function setStatus(invoice: FakeInvoice, status: FakeInvoice['status'], additional: FakeInvoice['additionalStatus']) {
    invoice.status = status
    invoice.additionalStatus = additional
  }

  return {
    invoices,
    create({ amount = '0', currency = 'USD', metadata = {}, checkout }: Partial<FakeInvoice>): FakeInvoice {
      const minutes = checkout?.expirationMinutes ?? 15
      const invoice: FakeInvoice = {
        id: newId(),
        storeId,
        type: 'Standard',
        amount,
        currency,
        metadata,
        checkout: checkout as FakeInvoice['checkout'],
        status: 'New',
        additionalStatus: 'None',
        archived: false,
        createdTime: now(),
        expirationTime: now() + minutes * 60,
        monitoringExpiration: now() + minutes * 60 + DAY,
        methods: [{ paymentMethodId: 'BTC-CHAIN', currency: 'BTC', rate: String(RATE), payments: [] }],
      }
      invoices.set(invoice.id, invoice)
      emit('InvoiceCreated', invoice)
      return invoice
    },
    /** Receives coins worth this amount, without confirmations. Late coins leave the invoice expired. */
    receive(id: string, amount = Number(must(id).amount)): void {
      const invoice = must(id)
      receive(invoice, amount)
      // BTCPay lists what arrives at the address of an invalid invoice, and leaves its status as it is.
      if (invoice.status === 'Invalid') return
      const due = Number(invoice.amount) - worth(invoice)
      if (due > 0.005) invoice.additionalStatus = 'PaidPartial'
      else if (invoice.status === 'Expired') {
        invoice.additionalStatus = 'PaidLate'
        emit('InvoicePaidAfterExpiration', invoice)
      } else {
        setStatus(invoice, 'Processing', due < -0.005 ? 'PaidOver' : 'None')
        emit('InvoiceProcessing', invoice)
      }
    },
    /** Confirms everything that was received. */
    confirm(id: string): void {
      const invoice = must(id)
      for (const payment of payments(invoice)) {
        payment.status = 'Settled'
        emit('InvoicePaymentSettled', invoice)
      }
      if (invoice.status !== 'Processing') return
      invoice.status = 'Settled'
      emit('InvoiceSettled', invoice)
    },
    /** Paid and confirmed at once. */
    pay(id: string, amount?: number): void {
      this.receive(id, amount)
      this.confirm(id)
    },
    expire(id: string): void {
      const invoice = must(id)
      invoice.status = 'Expired'
      emit('InvoiceExpired', invoice)
      if (invoice.additionalStatus === 'PaidPartial') emit('InvoiceExpiredPaidPartial', invoice)
    },
    /** The received coins never got their confirmations. */
    invalidate(id: string): void {
      const invoice = must(id)
      invoice.status = 'Invalid'
      emit('InvoiceInvalid', invoice)
    },
    /** The operator sets the status. */
    mark(id: string, status: 'Settled' | 'Invalid'): void {
      const invoice = must(id)
      setStatus(invoice, status, 'Marked')
      emit(`Invoice${status}`, invoice)
    },
    /**
     * Redelivers the last event, as BTCPay does automatically or on request: another delivery, the same event and time.
     */
    redelivery: (event: BtcpayEvent): BtcpayEvent => ({ ...event, deliveryId: newId(), isRedelivery: true }),
  }
}
