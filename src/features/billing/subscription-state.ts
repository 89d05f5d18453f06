import {
  type EndRules,
  endsAt,
  isActive,
  lapsesAt,
  type Subscription,
  type SubscriptionState,
} from '#core/billing/subscription.ts'

/**
 * Returns when the notice is due: `rules.notice` before the end of the benefits. If the subscription renews and no
 * failure is known, the notice is due only at the end.
 */
export function noticeDueAt(
  subscription: Pick<Subscription, 'paidUntil' | 'renews' | 'failingSince'>,
  rules: EndRules,
): number {
  const end = endsAt(subscription, rules)
  return subscription.renews && subscription.failingSince === null ? end : end - rules.notice
}

/** Returns when the addresses fall back to the free rules, or undefined if that is not expected. */
export function expectedLapse(subscription: Subscription, rules: EndRules, now: number): number | undefined {
  const { renews, failingSince, lapsed } = subscription
  if (lapsed || (renews && failingSince === null && isActive(subscription, rules, now))) return undefined
  const noticeAt = subscription.noticeAt ?? Math.max(now, noticeDueAt(subscription, rules))
  return lapsesAt({ ...subscription, noticeAt }, rules)
}

/** Returns the state of a subscription. */
export function stateOf(
  subscription: Pick<Subscription, 'paidUntil' | 'renews' | 'failingSince' | 'lapsed'>,
  rules: EndRules,
  now: number,
): SubscriptionState {
  if (subscription.lapsed) return 'lapsed'
  if (!isActive(subscription, rules, now)) return 'ended'
  if (!subscription.renews) return 'ending'
  return subscription.failingSince === null ? 'active' : 'failing'
}
