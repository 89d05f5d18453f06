import type { NewEmail } from '../email/email.ts'
import { MayflyError } from '../errors.ts'
import type { SubscriptionId } from '../ids.ts'
import type { OrderState } from './order.ts'
import type { Money, Plan, ProviderName } from './plan.ts'

/** What belongs to one real email. Times are milliseconds since the epoch. */
export interface Subscription {
  id: SubscriptionId
  /** A keyed hash of the canonical email, 22 characters, of which there is one. */
  emailKey: string
  /** The email, wrapped with the service's key. */
  sealedEmail: Uint8Array
  /** Code of the language that Mayfly writes in. */
  language: string
  createdAt: number
  /** What was paid last; null before the first payment. */
  plan: Plan | null
  /** End of what is paid, 0 before the first payment: `paidUntil` of all payments. */
  paidUntil: number
  /** Whether a provider will charge again at that time. */
  renews: boolean
  /** Since when a renewal fails; null while none does. */
  failingSince: number | null
  /** When the notice of the end was sent; null while none is called for. */
  noticeAt: number | null
  /** Whether its addresses have fallen back to the free rules. */
  lapsed: boolean
  /** Counts every change; who changes it says which one it has seen. */
  revision: number
}

/** Something at a provider that pays once or again and again: a Stripe subscription, a BTCPay invoice. */
export interface PaymentSource {
  provider: ProviderName
  ref: string
  orderId: string
  /** The customer at the provider, for its portal; null where it has none. */
  customer: string | null
  plan: Plan
  renews: boolean
  failingSince: number | null
}

export type PaymentState = 'paid' | 'refunded' | 'disputed'

/** A line of the ledger. It pays either for a span from its time on (or from the end of what is paid), or until a time. */
export interface Payment {
  provider: ProviderName
  /** Its name at the provider, such as the id of an invoice. */
  id: string
  /** The `PaymentSource` that it came from. */
  ref: string
  plan: Plan
  total: Money
  state: PaymentState
  paidAt: number
  pays: { span: number } | { until: number }
}

/** When a payment begins to pay: a span with itself, a period where the one before it ended, however late it was paid. */
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
 * The end of what is paid, out of the whole ledger in any order; 0 where nothing is. Refunded and disputed ones pay for nothing.
 * Periods lie where they lie; spans are used up only while no period is paid, so that who pays for both loses neither.
 */
export function paidUntil(payments: readonly Payment[]): number {
  const paid = payments
    .filter(({ state }) => state === 'paid')
    .map((payment) => ({ ...payment, start: startOf(payment, payments) }))
    .toSorted((a, b) => a.start - b.start)
  let end = 0
  /** Of spans, what is not used up by `end`. */
  let left = 0
  for (const { pays, start } of paid) {
    const used = Math.min(left, Math.max(0, start - end))
    left -= used
    end += used
    if ('until' in pays) end = Math.max(end, pays.until)
    else {
      end = Math.max(end, start)
      left += pays.span
    }
  }
  return end + left
}

/** Milliseconds, from the configuration. */
export interface EndRules {
  /** How long a renewal may be late or fail before the benefits end. */
  grace: number
  /** How long before its addresses fall back a subscriber is told. */
  notice: number
}

/** When the benefits end. */
export const endsAt = (
  { paidUntil: end, renews }: Pick<Subscription, 'paidUntil' | 'renews'>,
  rules: EndRules,
): number => (end === 0 ? 0 : end + (renews ? rules.grace : 0))

/** Whether the benefits of Premium are there. */
export const isActive = (
  subscription: Pick<Subscription, 'paidUntil' | 'renews'>,
  rules: EndRules,
  now: number,
): boolean => now < endsAt(subscription, rules)

/** When the addresses fall back to the free rules: never before the notice is as old as it must be; undefined without one. */
export const lapsesAt = (
  subscription: Pick<Subscription, 'paidUntil' | 'renews' | 'noticeAt'>,
  rules: EndRules,
): number | undefined =>
  subscription.noticeAt === null
    ? undefined
    : Math.max(endsAt(subscription, rules), subscription.noticeAt + rules.notice)

export type SubscriptionChange = Partial<
  Pick<Subscription, 'language' | 'plan' | 'paidUntil' | 'renews' | 'failingSince' | 'noticeAt' | 'lapsed'>
>

/** All that a word of a provider changes, in one transaction. */
export interface Settlement {
  subscriptionId: SubscriptionId
  /** The revision that was read before the provider was asked. */
  revision: number
  /** Unique for ever; null for what did not come as an event (a read-back of our own). */
  event: { provider: ProviderName; id: string; receivedAt: number } | null
  /** Takes the place of what was known of this source and its payments. */
  source: PaymentSource
  payments: readonly Payment[]
  order: { id: string; state: OrderState } | null
  change: SubscriptionChange
  /** Mails that it calls for. */
  emails: readonly NewEmail[]
}

export interface SubscriptionStore {
  /** The subscription of this email, made where there is none yet. */
  ensure(subscription: Subscription): Promise<Subscription>
  find(id: SubscriptionId): Promise<Subscription | undefined>
  findByEmail(emailKey: string): Promise<Subscription | undefined>
  sources(id: SubscriptionId): Promise<PaymentSource[]>
  payments(id: SubscriptionId): Promise<Payment[]>
  /** The subscription that a source pays for. */
  ofSource(provider: ProviderName, ref: string): Promise<Subscription | undefined>
  /** Subscriptions that a provider's payments still pay for, some of them. */
  paidBy(provider: ProviderName, limit: number): Promise<SubscriptionId[]>
  hasSeen(provider: ProviderName, eventId: string): Promise<boolean>
  /** One transaction. `conflict`: somebody changed the subscription since; `duplicate`: the event was settled before. */
  settle(settlement: Settlement): Promise<'settled' | 'duplicate' | 'conflict'>
  /** False where the subscription is not of that revision any more. */
  change(
    id: SubscriptionId,
    revision: number,
    change: SubscriptionChange,
    emails?: readonly NewEmail[],
  ): Promise<boolean>
  /** Writes its email in another way; false where another subscription has that name. */
  setEmail(id: SubscriptionId, email: Pick<Subscription, 'emailKey' | 'sealedEmail'>): Promise<boolean>
  /** Ones that have not lapsed and whose paid time ends before a time, soonest first, from behind `after`: for notices and ends. */
  ending(before: number, limit: number, after?: Pick<Subscription, 'id' | 'paidUntil'>): Promise<Subscription[]>
  /** In the order of their ids. */
  list(limit: number, after?: SubscriptionId): Promise<Subscription[]>
  count(now: number): Promise<{ all: number; paid: number }>
  /** Forgets the subscription with all that hangs on it but its payments, which name nobody. */
  remove(id: SubscriptionId): Promise<void>
}

/** Throws `premium_required` where the benefits of Premium are not there. */
export function requireActive(subscription: Subscription, rules: EndRules, now: number): void {
  if (!isActive(subscription, rules, now)) throw new MayflyError('premium_required')
}

/** `ended`: only the addresses are kept, for a while. */
export type SubscriptionState = 'active' | 'ending' | 'failing' | 'ended' | 'lapsed'
