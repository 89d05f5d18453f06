import type { Stripe } from 'stripe'
import type { PaymentEvent, PaymentProvider } from '#core/billing/payment.ts'
import { bodyInvalid, isRecord, signatureInvalid } from '../signature.ts'
import { idOf, ORDER } from './client.ts'
import type { StripeOptions } from './options.ts'

/** Types of events that can change the paid time. The operator subscribes the webhook endpoint at Stripe to these. */
export const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const satisfies Stripe.Event.Type[]

/** Verifies the signature over the raw body, and its age. */
export function verifyPaymentEvent(
  stripe: Pick<Stripe, 'webhooks'>,
  body: Uint8Array,
  headers: Parameters<PaymentProvider['verify']>[1],
  { webhookSecret, tolerance }: Pick<StripeOptions, 'webhookSecret' | 'tolerance'>,
  now: number,
): PaymentEvent | undefined {
  const header = headers['stripe-signature']
  if (typeof header !== 'string') throw signatureInvalid()
  const event: unknown = constructEvent(stripe, body, header, webhookSecret, tolerance, now)
  if (!isEvent(event)) throw bodyInvalid()
  const subject = subjectOf(event)
  return subject === undefined ? undefined : { id: event.id, subject }
}

const isEvent = (body: unknown): body is Stripe.Event =>
  isRecord(body) &&
  typeof body['id'] === 'string' &&
  typeof body['type'] === 'string' &&
  isRecord(body['data']) &&
  isRecord(body['data']['object']) &&
  typeof body['data']['object']['id'] === 'string'

function constructEvent(
  stripe: Pick<Stripe, 'webhooks'>,
  body: Uint8Array,
  header: string,
  secret: string,
  tolerance: number,
  now: number,
): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(body, header, secret, tolerance / 1000, undefined, now)
  } catch (error) {
    // The body is parsed after the signature is verified. All other errors are in the header.
    throw error instanceof SyntaxError ? bodyInvalid() : signatureInvalid()
  }
}

/** Returns the subject that an event changed, or undefined if it does not matter to Mayfly. */
export function subjectOf({ type, data }: Pick<Stripe.Event, 'type' | 'data'>): string | undefined {
  if (!(EVENTS as readonly string[]).includes(type)) return undefined
  const object = data.object as unknown as { id: string } & Record<string, unknown>
  if (type.startsWith('checkout.session.')) {
    const { metadata } = data.object as Stripe.Checkout.Session
    return metadata?.[ORDER] === undefined ? undefined : `session:${object.id}`
  }
  if (type.startsWith('customer.subscription.')) return `subscription:${object.id}`
  if (type.startsWith('invoice.')) return `invoice:${object.id}`
  if (type === 'charge.refunded') return `charge:${object.id}`
  // Refunds and disputes contain the id of their charge.
  const charge = idOf(object['charge'] as string | Stripe.Charge | null)
  return charge === undefined ? undefined : `charge:${charge}`
}
