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

/** What is known of a subscription, as of its revision or later. */
export interface Ledger {
  subscription: Subscription
  sources: readonly PaymentSource[]
  payments: readonly Payment[]
}

/** The state of one source at its provider. Replaces everything stored about the source. */
export interface ProviderState {
  source: PaymentSource
  payments: readonly Payment[]
}

/** An email to send, and its cause. It is sent once per cause. */
export interface CalledEmail {
  cause: string
  content: EmailContent
}

export interface Settled {
  settlement: Pick<Settlement, 'subscriptionId' | 'revision' | 'source' | 'payments'> & { change: SubscriptionChange }
  emails: CalledEmail[]
  /** Payments that grant something and were not in the ledger before. */
  granted: Payment[]
}

/** Whether an entry is this source or a payment of it. */
export const isOf =
  ({ provider, ref }: Pick<PaymentSource, 'provider' | 'ref'>) =>
  (each: Pick<PaymentSource, 'provider' | 'ref'>): boolean =>
    each.provider === provider && each.ref === ref

const oldestFirst = (payments: readonly Payment[]): Payment[] =>
  payments.toSorted((a, b) => a.paidAt - b.paidAt || (a.id < b.id ? -1 : 1))

/**
 * Applies the latest state of a source to its payments. A payment that is no longer reported stays in the ledger
 * unchanged.
 */
function paymentsOf({ source, payments }: ProviderState, known: readonly Payment[]): Payment[] {
  const spokenOf = new Set(payments.map(({ id }) => id))
  return [...payments, ...known.filter(isOf(source)).filter(({ id }) => !spokenOf.has(id))]
}

/**
 * Returns the changes of a subscription that follow from the state of a source. They depend on everything known, so the
 * order of reports does not matter.
 */
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
