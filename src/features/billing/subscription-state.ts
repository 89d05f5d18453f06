import {
  type EndRules,
  endsAt,
  isActive,
  lapsesAt,
  type Subscription,
  type SubscriptionState,
} from '#core/billing/subscription.ts'

/** When the notice is due: before the end, but for one that renews and of which no failure is known when it is over. */
export function noticeDueAt(subscription: Subscription, { notice, ...rules }: EndRules): number {
  const end = endsAt(subscription, { notice, ...rules })
  return subscription.renews && subscription.failingSince === null ? end : end - notice
}

/** When the addresses will fall back, as far as it is known; undefined where nothing says that they will. */
export function expectedLapse(subscription: Subscription, rules: EndRules, now: number): number | undefined {
  const { renews, failingSince, lapsed } = subscription
  if (lapsed || (renews && failingSince === null && isActive(subscription, rules, now))) return undefined
  const noticeAt = subscription.noticeAt ?? Math.max(now, noticeDueAt(subscription, rules))
  return lapsesAt({ ...subscription, noticeAt }, rules)
}

/** How a subscription stands. */
export function stateOf(
  subscription: Pick<Subscription, 'paidUntil' | 'renews' | 'failingSince' | 'lapsed'>,
  rules: EndRules,
  now: number,
): SubscriptionState {
  if (subscription.lapsed) return 'lapsed'
  if (!isActive(subscription, rules, now)) return 'ended'
  if (subscription.failingSince !== null) return 'failing'
  return subscription.renews ? 'active' : 'ending'
}
