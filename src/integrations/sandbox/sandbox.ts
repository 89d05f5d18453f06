import { createHmac, randomBytes } from 'node:crypto'
import type { Order, OrderState, OrderStore } from '#core/billing/order.ts'
import type { PaymentProvider } from '#core/billing/payment.ts'
import { PLANS } from '#core/billing/plan.ts'
import type { PaymentState, PaymentSource } from '#core/billing/subscription.ts'
import type { Clock } from '#core/time.ts'
import { pathIn } from '#locales/languages.ts'
import { calendarYears, MONTH } from '../calendar.ts'
import { hmac, sameDigest, signatureInvalid } from '../signature.ts'

export type SandboxOutcome = Extract<OrderState, 'paid' | 'declined' | 'expired' | 'underpaid'>

/** Plays the provider without moving money: the buyer chooses the outcome of an order. */
export interface Sandbox extends PaymentProvider {
  name: 'sandbox'
  /** The signed event that a provider would send about an outcome. `verify` accepts it. */
  webhook(order: Pick<Order, 'id'>, outcome: SandboxOutcome): { body: Uint8Array; headers: Record<string, string> }
}

export interface SandboxOptions {
  serviceKey: Uint8Array
  /** The URL of the site without a slash at the end. */
  siteUrl: () => string
  /** Milliseconds. */
  tolerance: number
}

const HEADER = 'mayfly-sandbox-signature'
const SIGNATURE = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/
/** Outcomes of a paid order. No outcome of the checkout changes it anymore. */
const SETTLED: readonly OrderState[] = ['paid', 'refunded', 'disputed'] satisfies PaymentState[]

/**
 * Stores nothing: an outcome is a subject that is signed with a key derived from the service key, `ORDER.OUTCOME.MAC`.
 * Everything else is read from the order. Subjects without an outcome (the `ref` of a checkout) report the state of the
 * order.
 */
export function createSandbox(
  { serviceKey, siteUrl, tolerance }: SandboxOptions,
  { orders, clock }: { orders: Pick<OrderStore, 'find'>; clock: Clock },
): Sandbox {
  const key = createHmac('sha256', serviceKey).update('sandbox').digest()
  const mac = (orderId: string, outcome: string): string => hmac(key, `outcome ${orderId} ${outcome}`)
  const signature = (time: string, body: Uint8Array): string =>
    createHmac('sha256', key).update(`webhook ${time}.`).update(body).digest('hex')

  return {
    name: 'sandbox',
    plans: PLANS,
    async checkout({ order }) {
      return { ref: order.id, url: siteUrl() + pathIn(order.language, `/checkout?order=${order.id}`) }
    },
    webhook({ id: orderId }, outcome) {
      const event = {
        id: randomBytes(16).toString('base64url'),
        subject: `${orderId}.${outcome}.${mac(orderId, outcome)}`,
      }
      const body = Buffer.from(JSON.stringify(event))
      const time = String(clock())
      return { body, headers: { [HEADER]: `t=${time},v1=${signature(time, body)}` } }
    },
    verify(body, headers) {
      const header = headers[HEADER]
      const [, time, given] = (typeof header === 'string' && SIGNATURE.exec(header)) || []
      if (time === undefined || given === undefined) throw signatureInvalid()
      if (!sameDigest(given, signature(time, body)) || clock() - Number(time) > tolerance) throw signatureInvalid()
      return JSON.parse(Buffer.from(body).toString()) as { id: string; subject: string }
    },
    async read(subject) {
      const [orderId = '', outcome, given] = subject.split('.')
      if (outcome !== undefined && !sameDigest(given ?? '', mac(orderId, outcome))) return undefined
      const order = await orders.find(orderId)
      if (order?.provider !== 'sandbox') return undefined
      const state = SETTLED.includes(order.state)
        ? order.state
        : ((outcome as SandboxOutcome | undefined) ?? order.state)
      return { orderId, state, mismatch: undefined, ...(SETTLED.includes(state) ? paid(order, state) : UNPAID) }
    },
    // It knows nothing beyond the orders.
    async *subjectsSince() {},
  }
}

const UNPAID = { source: undefined, payments: [] }

/** Derived from the order, so that paying twice has no effect. */
function paid({ id, plan, years, total, createdAt }: Order, state: OrderState) {
  const source: PaymentSource = {
    provider: 'sandbox',
    ref: id,
    orderId: id,
    customer: null,
    plan,
    renews: false,
    failingSince: null,
  }
  const span = plan === 'month' ? MONTH : calendarYears(createdAt, years)
  const payment = {
    provider: source.provider,
    id,
    ref: id,
    plan,
    total,
    state: state as PaymentState,
    paidAt: createdAt,
  }
  return { source, payments: [{ ...payment, pays: { span } }] }
}
