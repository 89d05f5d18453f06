import type { PaymentEvent, PaymentProvider } from '#core/billing/payment.ts'
import { sameText } from '#core/same-text.ts'
import { bodyInvalid, hmac, isRecord, signatureInvalid } from '../signature.ts'
import type { BtcpayOptions } from './options.ts'

/** The properties of a payment event that Mayfly uses. `timestamp` is in seconds since the epoch. */
interface Delivery {
  deliveryId: string
  /** The same for all deliveries of one event. */
  originalDeliveryId?: string
  isRedelivery?: boolean
  type: string
  timestamp: number
  storeId?: string
  invoiceId?: string
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i

/**
 * Verifies `BTCPay-Sig: sha256=HMAC` over the raw body. The signature contains no time, so the age is that of the
 * `timestamp` in the body. A redelivery keeps the first timestamp and may have any age. This is safe, because the state
 * is read back.
 */
export function verifyPaymentEvent(
  body: Uint8Array,
  headers: Parameters<PaymentProvider['verify']>[1],
  { webhookSecret, storeId, tolerance }: Pick<BtcpayOptions, 'webhookSecret' | 'storeId' | 'tolerance'>,
  now: number,
): PaymentEvent | undefined {
  const header = headers['btcpay-sig']
  const actual = typeof header === 'string' ? SIGNATURE.exec(header)?.[1] : undefined
  if (actual === undefined || !sameText(actual.toLowerCase(), hmac(webhookSecret, body))) throw signatureInvalid()
  const delivery = deliveryOf(body)
  if (!delivery.isRedelivery && !(now - delivery.timestamp * 1000 <= tolerance)) throw signatureInvalid()
  const { type, invoiceId } = delivery
  if (delivery.storeId !== storeId || !invoiceId || !type.startsWith('Invoice') || type === 'InvoiceCreated')
    return undefined
  return { id: delivery.originalDeliveryId ?? delivery.deliveryId, subject: invoiceId }
}

/** Throws `invalid_request` if the signed body is not a delivery. */
function deliveryOf(body: Uint8Array): Delivery {
  let delivery: unknown
  try {
    delivery = JSON.parse(Buffer.from(body).toString())
  } catch {
    throw bodyInvalid()
  }
  const isText = (value: unknown): boolean => typeof value === 'string'
  if (!isRecord(delivery) || !isText(delivery['type']) || !isText(delivery['deliveryId'])) throw bodyInvalid()
  // Events of payouts have no invoice id.
  if (!isText(delivery['invoiceId'] ?? '')) throw bodyInvalid()
  return delivery as unknown as Delivery
}
