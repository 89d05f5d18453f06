import {
  type EndRules,
  endsAt,
  isActive,
  paidUntil,
  type Payment,
  type PaymentSource,
  type Settlement,
  type Subscription,
  type SubscriptionChange,
} from '#core/billing/subscription.ts'
import type { EmailContent } from '#core/email/email.ts'

/** What is known of a subscription: as of its revision, or later. */
export interface Ledger {
  subscription: Subscription
  sources: readonly PaymentSource[]
  payments: readonly Payment[]
}

/** What a provider reports of one source now: it replaces all that was known of it. */
export interface ProviderState {
  source: PaymentSource
  payments: readonly Payment[]
}

/** An email that is called for, and what makes it this one: however often it is called for, it is sent once. */
export interface CalledEmail {
  cause: string
  content: EmailContent
}

export interface Settled {
  settlement: Pick<Settlement, 'subscriptionId' | 'revision' | 'source' | 'payments'> & { change: SubscriptionChange }
  emails: CalledEmail[]
  /** Payments that pay for something and were not in the ledger before. */
  granted: Payment[]
}

/** Whether it is this source, or a payment of it. */
export const isOf =
  ({ provider, ref }: Pick<PaymentSource, 'provider' | 'ref'>) =>
  (each: Pick<PaymentSource, 'provider' | 'ref'>): boolean =>
    each.provider === provider && each.ref === ref

const oldestFirst = (payments: readonly Payment[]): Payment[] =>
  payments.toSorted((a, b) => a.paidAt - b.paidAt || (a.id < b.id ? -1 : 1))

/** The payments of a source by its latest state. A payment that is no longer reported stays in the ledger as it is. */
function paymentsOf({ source, payments }: ProviderState, known: readonly Payment[]): Payment[] {
  const spokenOf = new Set(payments.map(({ id }) => id))
  return [...payments, ...known.filter(isOf(source)).filter(({ id }) => !spokenOf.has(id))]
}

/** What the state that a provider reports of a source changes in a subscription: out of all that is known, so that the order of words doesn't matter. */
export function settlementOf(
  { subscription, sources, payments }: Ledger,
  providerState: ProviderState,
  rules: EndRules,
  now: number,
  accountUrl: string,
): Settled {
  const { source } = providerState
  const own = paymentsOf(providerState, payments)
  const known = new Set(payments.filter(isOf(source)).map(({ id }) => id))
  const allSources = [...sources.filter((each) => !isOf(source)(each)), source]
  const all = [...payments.filter((each) => !isOf(source)(each)), ...own]
  const paid = oldestFirst(all.filter(({ state }) => state === 'paid'))
  const renewing = allSources.filter(({ renews }) => renews)
  const failing = renewing.flatMap(({ failingSince }) => failingSince ?? [])
  const next = {
    plan: paid.at(-1)?.plan ?? subscription.plan,
    paidUntil: paidUntil(all),
    renews: renewing.length > 0,
    failingSince: failing.length > 0 ? Math.min(...failing) : null,
  }
  const active = isActive(next, rules, now)
  // The earlier notice announced an end that no longer applies.
  const later = active && endsAt(next, rules) > endsAt(subscription, rules)
  const change = {
    ...next,
    noticeAt: later ? null : subscription.noticeAt,
    lapsed: subscription.lapsed && !active,
  }

  const granted = own.filter(({ id, state }) => state === 'paid' && !known.has(id))
  const first = oldestFirst(own)[0]
  const emails = granted.flatMap((payment): CalledEmail[] => {
    if (source.provider === 'operator') return []
    const { plan, total, paidAt } = payment
    const content = { plan, total, paidAt, paidUntil: next.paidUntil, url: accountUrl }
    const cause = `paid ${payment.provider} ${payment.id}`
    return payment === first
      ? [{ cause, content: { ...content, kind: 'receipt', renews: source.renews } }]
      : [{ cause, content: { ...content, kind: 'renewal' } }]
  })
  if (next.failingSince !== null && subscription.failingSince === null) {
    emails.push({
      cause: `failing ${subscription.id} ${next.failingSince}`,
      content: { kind: 'renewal-failed', until: endsAt(next, rules), url: accountUrl },
    })
  }
  const { id: subscriptionId, revision } = subscription
  return { settlement: { subscriptionId, revision, source, payments: own, change }, emails, granted }
}
