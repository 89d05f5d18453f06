import { MayflyError } from '#core/errors.ts'
import type { Logger } from '#core/telemetry.ts'
import type { BtcpayOptions } from './options.ts'

/** An invoice of the Greenfield API. Decimals are strings; times are seconds since the epoch. */
export interface Invoice {
  id: string
  storeId: string
  amount: string
  currency: string
  status: 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
  additionalStatus: 'None' | 'PaidPartial' | 'PaidLate' | 'PaidOver' | 'Marked' | 'Invalid'
  metadata?: { orderId?: string }
  checkoutLink: string
  createdTime: number
}

/** Payments in one currency, without those that were double spent or replaced. */
export interface PaymentMethod {
  /** The price of one unit of its currency in the invoice's. */
  rate: string
  payments: { receivedDate: number; value: string; status: 'Invalid' | 'Processing' | 'Settled' }[]
}

export interface NewInvoice {
  amount: string
  currency: string
  metadata: { orderId: string }
  checkout: {
    redirectURL: string
    redirectAutomatically: boolean
    defaultLanguage: string | undefined
    expirationMinutes: number
    speedPolicy: BtcpayOptions['speedPolicy']
  }
}

export interface Api {
  createInvoice(invoice: NewInvoice): Promise<Invoice>
  /** Returns undefined for an unknown id. */
  findInvoice(id: string): Promise<Invoice | undefined>
  /** Marks it as invalid, so that it can no longer be paid on an open page. */
  invalidate(id: string): Promise<void>
  paymentMethods(invoiceId: string): Promise<PaymentMethod[]>
  /** Returns the invoices since a time, in milliseconds. */
  listInvoices(since: number, skip: number, take: number): Promise<Invoice[]>
}

/** The Greenfield API of one store. Rejects with `payment_unavailable` if it is unreachable or reports an error. */
export function createApi({ url, storeId, apiKey, timeout }: BtcpayOptions, logger: Logger): Api {
  const base = `${url.replace(/\/$/, '')}/api/v1/stores/${encodeURIComponent(storeId)}/invoices`

  async function call(path: string, body?: NewInvoice | { status: 'Invalid' }): Promise<unknown> {
    try {
      const response = await fetch(base + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `token ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
        body: body ? JSON.stringify(body) : null,
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      })
      const answer: unknown = await response.json()
      if (response.ok) return answer
      const { code } = answer as { code?: unknown }
      // Something else was not found, such as the store.
      if (code === 'invoice-not-found') return undefined
      logger.warn({ provider: 'btcpay', status: response.status, code }, 'a payment provider refused a call')
    } catch (error) {
      // The message may contain the address of a private host, so only the kind is logged.
      logger.warn({ provider: 'btcpay', kind: (error as Error).name }, 'a payment provider could not be reached')
    }
    throw new MayflyError('payment_unavailable')
  }

  return {
    createInvoice: async (invoice) => (await call('', invoice)) as Invoice,
    findInvoice: async (id) => (await call(`/${encodeURIComponent(id)}`)) as Invoice | undefined,
    async invalidate(id) {
      await call(`/${encodeURIComponent(id)}/status`, { status: 'Invalid' })
    },
    paymentMethods: async (id) => ((await call(`/${encodeURIComponent(id)}/payment-methods`)) ?? []) as PaymentMethod[],
    async listInvoices(since, skip, take) {
      const query = new URLSearchParams({
        startDate: String(Math.max(0, Math.floor(since / 1000))),
        skip: String(skip),
        take: String(take),
      })
      return ((await call(`?${query}`)) ?? []) as Invoice[]
    },
  }
}
