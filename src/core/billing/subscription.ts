import type { NewEmail } from '../email/email.ts'
import { MayflyError } from '../errors.ts'
import type { SubscriptionId } from '../ids.ts'
import type { OrderState } from './order.ts'
import type { Money, Plan } from './plan.ts'
import type { ProviderName } from './provider.ts'

/** A subscription, identified by one email address. Times are milliseconds since the epoch. */
export interface Subscription {
  id: SubscriptionId
  /** A keyed hash of the canonical email address, 22 characters, unique among subscriptions. */
  emailKey: string
  /** The email address, wrapped with the service key. */
  sealedEmail: Uint8Array
  /** Language code for the emails to the subscriber. */
  language: string
  createdAt: number
  /** The plan that was paid last; null before the first payment. */
  plan: Plan | null
  /** End of the paid time: `paidUntil` of all payments. 0 before the first payment. */
  paidUntil: number
  /** Whether a provider will charge again at that time. */
  renews: boolean
  /** Since when renewals fail; null if none is failing. Stays after the provider has given up, until something is paid. */
  failingSince: number | null
  /** When the notice of the end was sent; null if none is due. */
  noticeAt: number | null
  /** Whether its addresses follow the free rules again. */
  lapsed: boolean
  /**
   * Whether somebody has signed in by an email to its address. Until then, only the browser that paid can be signed in,
   * and the email address may be someone else's.
   */
  confirmed: boolean
  /** Incremented with every change. A writer passes the revision that it has read. */
  revision: number
}

/** What pays at a provider, once or repeatedly: a Stripe subscription or a BTCPay invoice. */
export interface PaymentSource {
  provider: ProviderName
  ref: string
  orderId: string
  /** The provider's id of the customer, for its portal; null if there is none. */
  customer: string | null
  plan: Plan
  renews: boolean
  failingSince: number | null
}

export type PaymentState = 'paid' | 'refunded' | 'disputed'

/**
 * An entry of the ledger. It pays either for a time span, which starts at the payment or at the end of the paid time,
 * or until a fixed time.
 */
export interface Payment {
  provider: ProviderName
  /** The provider's id of the payment, such as an invoice id. */
  id: string
  /** The `ref` of its `PaymentSource`. */
  ref: string
  plan: Plan
  total: Money
  state: PaymentState
  paidAt: number
  pays: { span: number } | { until: number }
}

/**
 * Returns when a payment takes effect. A span starts when it is paid. A period starts where the previous period of the
 * same source ended, even if it was paid late.
 */
function startOf({ provider, ref, pays, paidAt }: Payment, payments: readonly Payment[]): number {
  if ('span' in pays) return paidAt
  const ends = payments.flatMap((each) =>
    each.provider === provider && each.ref === ref && 'until' in each.pays && each.pays.until < pays.until
      ? each.pays.until
      : [],
  )
  return ends.length > 0 ? Math.min(paidAt, Math.max(...ends)) : paidAt
}

/**
 * Returns the end of the paid time, computed from the whole ledger in any order; 0 if nothing is paid. Refunded and
 * disputed payments do not count. Periods keep their fixed place in time. Spans are consumed only while no period is
 * paid, so a subscriber who pays for both loses neither. For the same reason, the time in which a period overlaps with
 * one of another source is added like a span. Periods of one source overlap only if its plan was changed, for which the
 * provider has already compensated.
 */
export function paidUntil(payments: readonly Payment[]): number {
  const paid = payments
    .filter(({ state }) => state === 'paid')
    .map((payment) => ({ ...payment, start: startOf(payment, payments) }))
    .toSorted((a, b) => a.start - b.start)
  let end = 0
  /** The part of the spans that is not consumed by `end`. */
  let left = 0
  /** Until when each source has paid. */
  const covered = new Map<string, number>()
  for (const { provider, ref, pays, start } of paid) {
    const used = Math.min(left, Math.max(0, start - end))
    left -= used
    end += used
    if ('until' in pays) {
      const source = `${provider} ${ref}`
      const from = Math.max(start, covered.get(source) ?? start)
      left += Math.max(0, Math.min(end, pays.until) - from)
      covered.set(source, Math.max(from, pays.until))
      end = Math.max(end, pays.until)
    } else {
      end = Math.max(end, start)
      left += pays.span
    }
  }
  return end + left
}

/** Durations in milliseconds, from the configuration. */
export interface EndRules {
  /** How long the benefits continue while a renewal is late or fails. */
  grace: number
  /** How long before its addresses fall back to the free rules a subscriber is notified. */
  notice: number
}

type Ending = Pick<Subscription, 'paidUntil' | 'renews' | 'failingSince'>

/**
 * Returns when the benefits end, in milliseconds since the epoch; 0 if nothing was ever paid. A renewal that failed has
 * the grace time even after the provider has given it up.
 */
export const endsAt = ({ paidUntil: end, renews, failingSince }: Ending, rules: EndRules): number =>
  end === 0 ? 0 : end + (renews || failingSince !== null ? rules.grace : 0)

/** Whether the subscription has the benefits of Premium at `now`. */
export const isActive = (subscription: Ending, rules: EndRules, now: number): boolean =>
  now < endsAt(subscription, rules)

/**
 * Returns when the addresses fall back to the free rules: never before the notice has reached its required age.
 * Undefined if no notice was sent.
 */
export const lapsesAt = (subscription: Ending & Pick<Subscription, 'noticeAt'>, rules: EndRules): number | undefined =>
  subscription.noticeAt === null
    ? undefined
    : Math.max(endsAt(subscription, rules), subscription.noticeAt + rules.notice)

export type SubscriptionChange = Partial<
  Pick<Subscription, 'language' | 'plan' | 'paidUntil' | 'renews' | 'failingSince' | 'noticeAt' | 'lapsed'>
>

/** Everything that a payment event or a read-back changes, in one transaction. */
export interface Settlement {
  subscriptionId: SubscriptionId
  /** The revision that was read before the provider was queried. */
  revision: number
  /** Its id is unique; null for a read-back without an event. */
  event: { provider: ProviderName; id: string; receivedAt: number } | null
  /** Replaces the stored source. `payments` replaces its stored payments. */
  source: PaymentSource
  payments: readonly Payment[]
  order: { id: string; state: OrderState } | null
  change: SubscriptionChange
  /** Emails to queue. */
  emails: readonly NewEmail[]
}

/** Stores subscriptions and the ledger. Writes are durable when the promise resolves. Errors as in `Store`. */
export interface SubscriptionStore {
  /** Returns the subscription of this email address; creates it, in one atomic step, if it does not exist. */
  ensure(subscription: Subscription): Promise<Subscription>
  find(id: SubscriptionId): Promise<Subscription | undefined>
  findByEmail(emailKey: string): Promise<Subscription | undefined>
  sources(id: SubscriptionId): Promise<PaymentSource[]>
  payments(id: SubscriptionId): Promise<Payment[]>
  /** Returns the subscription that a source pays for. */
  ofSource(provider: ProviderName, ref: string): Promise<Subscription | undefined>
  /** Returns up to `limit` subscriptions with paid payments of a provider, in no particular order. */
  paidBy(provider: ProviderName, limit: number): Promise<SubscriptionId[]>
  /** Whether the ledger has this payment, also if its subscription was removed. */
  hasPayment(provider: ProviderName, paymentId: string): Promise<boolean>
  /**
   * Writes a settlement in one transaction. `conflict`: the revision is outdated; `duplicate`: the event is already
   * settled. Both change nothing.
   */
  settle(settlement: Settlement): Promise<'settled' | 'duplicate' | 'conflict'>
  /**
   * Forgets up to `limit` settled events that were received before `before`, the oldest first. Returns how many. A
   * repetition of one is settled again, which changes nothing: a settlement stores the current state of the provider, and
   * only a payment that is not in the ledger causes an email.
   */
  forgetEvents(before: number, limit: number): Promise<number>
  /**
   * Changes the subscription and queues emails in one transaction. Returns false, and changes nothing, if the revision
   * is outdated.
   */
  change(
    id: SubscriptionId,
    revision: number,
    change: SubscriptionChange,
    emails?: readonly NewEmail[],
  ): Promise<boolean>
  /** Replaces the email address and its key in one atomic step. Returns false if another subscription has that key. */
  setEmail(id: SubscriptionId, email: Pick<Subscription, 'emailKey' | 'sealedEmail'>): Promise<boolean>
  /**
   * Returns up to `limit` subscriptions that have not lapsed and whose paid time ends before `before`, soonest first.
   * `after` is the last one of the previous batch. Used for notices and lapses.
   */
  ending(before: number, limit: number, after?: Pick<Subscription, 'id' | 'paidUntil'>): Promise<Subscription[]>
  /** Returns up to `limit` subscriptions in the order of their ids. */
  list(limit: number, after?: SubscriptionId): Promise<Subscription[]>
  count(now: number): Promise<{ all: number; paid: number }>
  /**
   * Removes the subscription and everything that belongs to it, in one transaction. Its payments stay, but no longer
   * refer to it. Returns the checkouts of the orders that were still open.
   */
  remove(id: SubscriptionId): Promise<{ provider: ProviderName; ref: string }[]>
}

/** Throws `premium_required` if the subscription does not have the benefits of Premium at `now`. */
export function requireActive(subscription: Subscription, rules: EndRules, now: number): void {
  if (!isActive(subscription, rules, now)) throw new MayflyError('premium_required')
}

/**
 * Throws `email_unconfirmed` if nobody has proved that the email address is theirs. For everything that outlives the
 * session of the browser that paid, or that concerns the money of others.
 */
export function requireConfirmed({ confirmed }: Pick<Subscription, 'confirmed'>): void {
  if (!confirmed) throw new MayflyError('email_unconfirmed')
}

/** `ended`: the benefits have ended; the addresses are kept until the lapse. */
export type SubscriptionState = 'active' | 'ending' | 'failing' | 'ended' | 'lapsed'
