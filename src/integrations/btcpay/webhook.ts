import type { PaymentEvent, PaymentProvider } from '#core/billing/payment.ts'
import { bodyInvalid, hmac, isRecord, sameDigest, signatureInvalid } from '../signature.ts'
import type { BtcpayOptions } from './options.ts'

/** The used fields of an event's body. `timestamp` is in seconds since the epoch. */
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
 * `BTCPay-Sig: sha256=HMAC` covers the raw body. It contains no time, so the age is that of `timestamp` in the body. A
 * redelivery keeps the first timestamp and may be of any age, which is fine because the current state is read back.
 */
export function verifyWebhook(
  body: Uint8Array,
  headers: Parameters<PaymentProvider['verify']>[1],
  { webhookSecret, storeId, tolerance }: Pick<BtcpayOptions, 'webhookSecret' | 'storeId' | 'tolerance'>,
  now: number,
): PaymentEvent | undefined {
  const header = headers['btcpay-sig']
  const given = typeof header === 'string' ? SIGNATURE.exec(header)?.[1] : undefined
  if (given === undefined || !sameDigest(given.toLowerCase(), hmac(webhookSecret, body))) throw signatureInvalid()
  const delivery = deliveryOf(body)
  if (!delivery.isRedelivery && !(now - delivery.timestamp * 1000 <= tolerance)) throw signatureInvalid()
  const { type, invoiceId } = delivery
  if (delivery.storeId !== storeId || !invoiceId || !type.startsWith('Invoice') || type === 'InvoiceCreated')
    return undefined
  return { id: delivery.originalDeliveryId ?? delivery.deliveryId, subject: invoiceId }
}

/** Throws `invalid_request` for what is not a delivery, whoever signed it. */
function deliveryOf(body: Uint8Array): Delivery {
  let delivery: unknown
  try {
    delivery = JSON.parse(Buffer.from(body).toString())
  } catch {
    throw bodyInvalid()
  }
  const isText = (value: unknown): boolean => typeof value === 'string'
  if (!isRecord(delivery) || !isText(delivery['type']) || !isText(delivery['deliveryId'])) throw bodyInvalid()
  // Payouts have none.
  if (!isText(delivery['invoiceId'] ?? '')) throw bodyInvalid()
  return delivery as unknown as Delivery
}
