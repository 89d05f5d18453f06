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
import type { SubscriptionId } from '#core/ids.ts'
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

type Standing = Pick<Subscription, 'plan' | 'paidUntil' | 'renews' | 'failingSince'>

/** Returns what all sources and payments of a subscription add up to. `plan` applies if nothing is paid. */
function standingOf(
  plan: Subscription['plan'],
  sources: readonly PaymentSource[],
  payments: readonly Payment[],
): Standing {
  const paid = oldestFirst(payments.filter(({ state }) => state === 'paid'))
  const end = paidUntil(payments)
  // A renewal that was given up matters no longer once something else pays for the time after it.
  const failing = sources
    .filter((each) => each.renews || paidUntil(payments.filter(isOf(each))) >= end)
    .flatMap(({ failingSince }) => failingSince ?? [])
  return {
    plan: paid.at(-1)?.plan ?? plan,
    paidUntil: end,
    renews: sources.some(({ renews }) => renews),
    failingSince: failing.length > 0 ? Math.min(...failing) : null,
  }
}

/** Returns how a subscription changes, whether its renewal begins to fail, and whether that is also the notice of its end. */
function changeOf(subscription: Subscription, next: Standing, rules: EndRules, now: number) {
  const active = isActive(next, rules, now)
  const [before, after] = [endsAt(subscription, rules), endsAt(next, rules)]
  // The earlier notice announced an end that no longer applies: it is later now, or earlier than was announced.
  const isOutdated = after > before ? active : after < before && before > now
  const noticeAt = isOutdated ? null : subscription.noticeAt
  const fails = next.renews && next.failingSince !== null && subscription.failingSince === null
  const isNotice = fails && noticeAt === null && now >= noticeDueAt(next, rules)
  const change = { ...next, noticeAt: isNotice ? now : noticeAt, lapsed: subscription.lapsed && !active }
  return { change, fails, isNotice }
}

/** Returns the receipt of the first payment of a source, and the emails about renewals. */
function receiptsOf(
  granted: readonly Payment[],
  first: Payment | undefined,
  content: { paidUntil: number; renews: boolean; url: string },
): CausedEmail[] {
  return granted.flatMap((payment): CausedEmail[] => {
    const { provider, id, plan, total, paidAt } = payment
    if (provider === 'operator') return []
    const cause = `paid ${provider} ${id}`
    if (payment === first) return [{ cause, content: { ...content, plan, total, paidAt, kind: 'receipt' } }]
    return total.amount === 0 ? [] : [{ cause, content: { ...content, plan, total, paidAt, kind: 'renewal' } }]
  })
}

function failureOf(
  id: SubscriptionId,
  change: Standing & Pick<Subscription, 'noticeAt'>,
  isNotice: boolean,
  rules: EndRules,
  account: { url: string; domains: boolean },
): CausedEmail {
  const { failingSince, noticeAt, paidUntil: paidTo } = change
  const lapse = lapsesAt(change, rules)
  return {
    cause: `failing ${id} ${failingSince}`,
    facts: { id, ...(isNotice ? { noticeAt } : { failingSince, paidUntil: paidTo }) },
    content: {
      kind: 'renewal-failed',
      until: endsAt(change, rules),
      ...(lapse !== undefined && { lapsesAt: lapse }),
      ...account,
    },
  }
}

/**
 * Computes how a provider state changes a subscription. The result depends on the whole ledger, so the order of reports
 * does not matter. `account`: the URL of the account page, and whether the subscriber owns domains.
 */
export function settlementOf(
  { subscription, sources, payments }: Ledger,
  providerState: ProviderState,
  rules: EndRules,
  now: number,
  account: { url: string; domains: boolean },
): Settled {
  const { source } = providerState
  const { id, revision, plan } = subscription
  const isOther = (each: Pick<PaymentSource, 'provider' | 'ref'>): boolean => !isOf(source)(each)
  const own = paymentsOf(providerState, payments)
  const next = standingOf(plan, [...sources.filter(isOther), source], [...payments.filter(isOther), ...own])
  const { change, fails, isNotice } = changeOf(subscription, next, rules, now)

  const known = new Set(payments.filter(isOf(source)).map((each) => each.id))
  const granted = own.filter((each) => each.state === 'paid' && !known.has(each.id))
  const emails = receiptsOf(granted, oldestFirst(own)[0], {
    paidUntil: next.paidUntil,
    renews: source.renews,
    url: account.url,
  })
  if (fails) emails.push(failureOf(id, change, isNotice, rules, account))
  return { settlement: { subscriptionId: id, revision, source, payments: own, change }, emails, granted }
}
