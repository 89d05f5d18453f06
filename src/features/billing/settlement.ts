import {
  type EndRules,
  endsAt,
  isActive,
  lapsesAt,
  paidUntil,
  type Payment,
  type PaymentSource,
  type Settlement,
  type Subscription,
  type SubscriptionChange,
} from '#core/billing/subscription.ts'
import type { EmailContent } from '#core/email/email.ts'
import type { SubscriptionFacts } from '#features/email/index.ts'
import { noticeDueAt } from './subscription-state.ts'

/** The stored data of a subscription. Sources and payments are as of its revision or newer. */
export interface Ledger {
  subscription: Subscription
  sources: readonly PaymentSource[]
  payments: readonly Payment[]
}

/** What a provider reports of one source. It replaces the stored data of that source. */
export interface ProviderState {
  source: PaymentSource
  payments: readonly Payment[]
}

/** An email to send once. `cause` identifies it, however often it is requested. */
interface CausedEmail {
  cause: string
  content: EmailContent
  facts?: SubscriptionFacts
}

export interface Settled {
  settlement: Pick<Settlement, 'subscriptionId' | 'revision' | 'source' | 'payments'> & { change: SubscriptionChange }
  emails: CausedEmail[]
  /** Newly known payments with the state `paid`. */
  granted: Payment[]
}

/** Matches a source, and its payments. */
export const isOf =
  ({ provider, ref }: Pick<PaymentSource, 'provider' | 'ref'>) =>
  (each: Pick<PaymentSource, 'provider' | 'ref'>): boolean =>
    each.provider === provider && each.ref === ref

const oldestFirst = (payments: readonly Payment[]): Payment[] =>
  payments.toSorted((a, b) => a.paidAt - b.paidAt || (a.id < b.id ? -1 : 1))

/** Returns the payments of a source. Stored payments that the provider no longer reports stay unchanged. */
function paymentsOf({ source, payments }: ProviderState, known: readonly Payment[]): Payment[] {
  const reported = new Set(payments.map(({ id }) => id))
  return [...payments, ...known.filter(isOf(source)).filter(({ id }) => !reported.has(id))]
}

/**
 * Computes how a provider state changes a subscription. The result depends on the whole ledger, so the order of reports
 * does not matter.
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
  const end = paidUntil(all)
  // A renewal that was given up matters no longer once something else pays for the time after it.
  const failing = allSources
    .filter((each) => each.renews || paidUntil(all.filter(isOf(each))) >= end)
    .flatMap(({ failingSince }) => failingSince ?? [])
  const next = {
    plan: paid.at(-1)?.plan ?? subscription.plan,
    paidUntil: end,
    renews: renewing.length > 0,
    failingSince: failing.length > 0 ? Math.min(...failing) : null,
  }
  const active = isActive(next, rules, now)
  const [before, after] = [endsAt(subscription, rules), endsAt(next, rules)]
  // The earlier notice announced an end that no longer applies: it is later now, or earlier than was announced.
  const isOutdated = after > before ? active : after < before && before > now
  const noticeAt = isOutdated ? null : subscription.noticeAt
  const fails = next.renews && next.failingSince !== null && subscription.failingSince === null
  const change = {
    ...next,
    // The email about the failure is also the notice, if that is due.
    noticeAt: fails && noticeAt === null && now >= noticeDueAt(next, rules) ? now : noticeAt,
    lapsed: subscription.lapsed && !active,
  }

  const granted = own.filter(({ id, state }) => state === 'paid' && !known.has(id))
  const first = oldestFirst(own)[0]
  const emails = granted.flatMap((payment): CausedEmail[] => {
    if (source.provider === 'operator') return []
    const { plan, total, paidAt } = payment
    const content = { plan, total, paidAt, paidUntil: next.paidUntil, renews: source.renews, url: accountUrl }
    const cause = `paid ${payment.provider} ${payment.id}`
    if (payment === first) return [{ cause, content: { ...content, kind: 'receipt' } }]
    return total.amount === 0 ? [] : [{ cause, content: { ...content, kind: 'renewal' } }]
  })
  const { id: subscriptionId, revision } = subscription
  if (fails) {
    const lapse = lapsesAt(change, rules)
    const { failingSince, paidUntil: paidTo } = next
    const isNotice = change.noticeAt !== noticeAt
    emails.push({
      cause: `failing ${subscriptionId} ${failingSince}`,
      facts: {
        id: subscriptionId,
        ...(isNotice ? { noticeAt: change.noticeAt } : { failingSince, paidUntil: paidTo }),
      },
      content: {
        kind: 'renewal-failed',
        until: after,
        ...(lapse !== undefined && { lapsesAt: lapse }),
        url: accountUrl,
      },
    })
  }
  return { settlement: { subscriptionId, revision, source, payments: own, change }, emails, granted }
}
