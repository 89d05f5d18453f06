import { createHmac, randomBytes } from 'node:crypto'
import type { Order, OrderState, OrderStore, SandboxOutcome } from '#core/billing/order.ts'
import type { PaymentProvider } from '#core/billing/payment.ts'
import { PLANS } from '#core/billing/plan.ts'
import type { PaymentState, PaymentSource } from '#core/billing/subscription.ts'
import { sameText } from '#core/same-text.ts'
import type { Clock } from '#core/time.ts'
import { pathIn } from '#locales/languages.ts'
import { calendarYears, MONTH } from '../calendar.ts'
import { hmac, signatureInvalid } from '../signature.ts'

/** A provider that moves no money: the buyer chooses the outcome of an order. */
export interface Sandbox extends PaymentProvider {
  name: 'sandbox'
  /** Returns the signed payment event of an outcome, which `verify` accepts. */
  paymentEvent(order: Pick<Order, 'id'>, outcome: SandboxOutcome): { body: Uint8Array; headers: Record<string, string> }
}

interface SandboxOptions {
  serviceKey: Uint8Array
  /** The URL of the site without a trailing slash. */
  siteUrl: () => string
  /** The maximum age of a payment event, in milliseconds. */
  tolerance: number
}

const HEADER = 'mayfly-sandbox-signature'
const SIGNATURE = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/
/** Final states, which an outcome of the checkout does not change. */
const SETTLED: readonly OrderState[] = ['paid', 'refunded', 'disputed'] satisfies PaymentState[]

/**
 * Stores nothing. A subject with an outcome is `ORDER.OUTCOME.MAC`, signed with a key derived from the service key.
 * Everything else is read from the order. A subject without an outcome (the `ref` of a checkout) has the state of the
 * order.
 */
export function createSandbox(
  { serviceKey, siteUrl, tolerance }: SandboxOptions,
  { orders, clock }: { orders: Pick<OrderStore, 'find'>; clock: Clock },
): Sandbox {
  const key = createHmac('sha256', serviceKey).update('sandbox').digest()
  const mac = (orderId: string, outcome: string): string => hmac(key, `outcome ${orderId} ${outcome}`)
  const signature = (time: string, body: Uint8Array): string =>
    createHmac('sha256', key).update(`payment event ${time}.`).update(body).digest('hex')

  return {
    name: 'sandbox',
    plans: PLANS,
    async checkout({ order }) {
      return { ref: order.id, url: siteUrl() + pathIn(order.language, `/checkout?order=${order.id}`) }
    },
    paymentEvent({ id: orderId }, outcome) {
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
      const [, time, actual] = (typeof header === 'string' && SIGNATURE.exec(header)) || []
      if (time === undefined || actual === undefined) throw signatureInvalid()
      if (!sameText(actual, signature(time, body)) || clock() - Number(time) > tolerance) throw signatureInvalid()
      return JSON.parse(Buffer.from(body).toString()) as { id: string; subject: string }
    },
    async read(subject) {
      const [orderId = '', outcome, actual] = subject.split('.')
      if (outcome !== undefined && !sameText(actual ?? '', mac(orderId, outcome))) return undefined
      const order = await orders.find(orderId)
      if (order?.provider !== 'sandbox') return undefined
      const state = SETTLED.includes(order.state)
        ? order.state
        : ((outcome as SandboxOutcome | undefined) ?? order.state)
      return { orderId, state, mismatch: undefined, ...(SETTLED.includes(state) ? paid(order, state) : NO_PAYMENT) }
    },
    // The sandbox has no data besides the orders.
    async *subjectsSince() {},
  }
}

const NO_PAYMENT = { source: undefined, payments: [] }

/** Derived from the order alone, so that paying twice has no effect. */
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
