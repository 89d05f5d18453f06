import { failedCall } from '#core/billing/payment.ts'
import { MayflyError } from '#core/errors.ts'
import type { Logger } from '#core/telemetry.ts'
import type { BtcpayOptions } from './options.ts'

/** An invoice of the Greenfield API. Decimals are strings, times are seconds since the epoch. */
export interface Invoice {
  id: string
  storeId: string
  amount: string
  currency: string
  status: 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
  additionalStatus: 'None' | 'PaidPartial' | 'PaidLate' | 'PaidOver' | 'Marked' | 'Invalid'
  /** `closed`: Mayfly marked it as invalid, not the operator. */
  metadata?: { orderId?: string; closed?: boolean }
  archived?: boolean
  checkoutLink: string
  createdTime: number
}

/** The payments in one currency. Double-spent and replaced payments are not included. */
export interface PaymentMethod {
  /** The price of one unit of this currency in the currency of the invoice. */
  rate: string
  payments: { receivedDate: number; value: string; status: 'Invalid' | 'Processing' | 'Settled' }[]
}

interface NewInvoice {
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
  /** Returns undefined if the invoice does not exist. */
  findInvoice(id: string): Promise<Invoice | undefined>
  /** Marks an invoice as invalid, so that its page no longer asks for a payment. */
  close(invoice: Pick<Invoice, 'id' | 'metadata'>): Promise<void>
  paymentMethods(invoiceId: string): Promise<PaymentMethod[]>
  /** Returns the invoices created since a time, in milliseconds since the epoch. */
  listInvoices(since: number, skip: number, take: number): Promise<Invoice[]>
}

/**
 * Creates a client for the Greenfield API of one store. All methods reject with `payment_unavailable` if the server is
 * unreachable or rejects a call.
 */
export function createApi({ url, storeId, apiKey, timeout }: BtcpayOptions, logger: Logger): Api {
  const base = `${url.replace(/\/$/, '')}/api/v1/stores/${encodeURIComponent(storeId)}/invoices`

  async function call(path: string, body?: object, method?: 'PUT'): Promise<unknown> {
    let rejected: number | undefined
    try {
      const response = await fetch(base + path, {
        method: body ? (method ?? 'POST') : 'GET',
        headers: { authorization: `token ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
        body: body ? JSON.stringify(body) : null,
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      })
      const result: unknown = await response.json()
      if (response.ok) return result
      const { code } = result as { code?: unknown }
      if (code === 'invoice-not-found') return undefined
      logger.warn({ provider: 'btcpay', status: response.status, code }, 'payment provider rejected a call')
      // An unknown store concerns all calls.
      if (response.status !== 404) rejected = response.status
    } catch (error) {
      // The message could reveal the address of a private host, so only the kind is logged.
      logger.warn({ provider: 'btcpay', kind: (error as Error).name }, 'payment provider unreachable')
    }
    throw failedCall(rejected)
  }

  function unexpected(): never {
    logger.warn({ provider: 'btcpay' }, 'payment provider sent an unexpected response')
    throw new MayflyError('payment_unavailable')
  }
  function invoiceOf(answer: unknown): Invoice {
    const { id, checkoutLink } = Object(answer) as Partial<Invoice>
    return typeof id === 'string' && typeof checkoutLink === 'string' ? (answer as Invoice) : unexpected()
  }
  const listOf = <T>(answer: unknown = []): T[] => (Array.isArray(answer) ? (answer as T[]) : unexpected())

  return {
    createInvoice: async (invoice: NewInvoice) => invoiceOf(await call('', invoice)),
    async findInvoice(id) {
      const answer = await call(`/${encodeURIComponent(id)}`)
      return answer === undefined ? undefined : invoiceOf(answer)
    },
    async close({ id, metadata }) {
      const path = `/${encodeURIComponent(id)}`
      await call(path, { metadata: { ...metadata, closed: true } }, 'PUT')
      await call(`${path}/status`, { status: 'Invalid' })
    },
    paymentMethods: async (id) => listOf<PaymentMethod>(await call(`/${encodeURIComponent(id)}/payment-methods`)),
    async listInvoices(since, skip, take) {
      const query = new URLSearchParams({
        startDate: String(Math.max(0, Math.floor(since / 1000))),
        skip: String(skip),
        take: String(take),
      })
      return listOf<Invoice>(await call(`?${query}`))
    },
  }
}
