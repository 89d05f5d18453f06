import type { AccountStore } from '#core/account/account.ts'
import type { KeptAddressStore } from '#core/account/kept-address.ts'
import type { OrderStore } from '#core/billing/order.ts'
import { type PaymentProvider, providerNamed } from '#core/billing/payment.ts'
import type { Plan } from '#core/billing/plan.ts'
import {
  type EndRules,
  endsAt,
  type Payment,
  type PaymentSource,
  requireConfirmed,
  type SubscriptionState,
  type SubscriptionStore,
} from '#core/billing/subscription.ts'
import { MayflyError } from '#core/errors.ts'
import type { Clock } from '#core/time.ts'
import { expectedLapse, stateOf } from '#features/billing/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { SignedIn } from './sign-in.ts'

interface SessionView {
  id: string
  /** Browser and operating system; empty if the browser did not send them. */
  label: string
  createdAt: number
  seenAt: number
  /** Whether it is the session of this request. */
  current: boolean
}

/** Times are milliseconds since the epoch. */
export interface AccountView {
  email: string
  /** Whether somebody has signed in by an email to that address. */
  confirmed: boolean
  state: SubscriptionState
  plan: Plan | null
  paidUntil: number | null
  renews: boolean
  /** When a card is charged next; null if none is. */
  renewsAt: number | null
  /** When the benefits end, or have ended, unless a renewal succeeds before; null if nothing was ever paid. */
  endsAt: number | null
  lapsesAt: number | null
  /** Whether a provider has a page where the subscriber can manage the subscription. */
  portal: boolean
  storage: { usedBytes: number; limitBytes: number }
  limits: { addresses: number; domains: number }
  /** Newest first. `sessions` has the same order. */
  payments: Payment[]
  sessions: SessionView[]
}

type Session = Pick<SignedIn, 'sessionId' | 'subscription'>

export interface Account {
  /** Returns the email address of the subscription; empty if it is damaged. */
  email(signedIn: Pick<SignedIn, 'subscription'>): string
  view(signedIn: SignedIn): Promise<AccountView>
  /** Throws `session_not_found`. */
  endSession(signedIn: SignedIn, id: string): Promise<void>
  /**
   * Returns the URL of the provider's portal. Until the email address is confirmed, only for what the browser has paid
   * itself. Throws `portal_unavailable`, `payment_unavailable`, `email_unconfirmed`.
   */
  portal(signedIn: SignedIn): Promise<string>
}

interface AccountDeps {
  orders: Pick<OrderStore, 'ofEmail'>
  subscriptions: Pick<SubscriptionStore, 'payments' | 'sources'>
  accounts: Pick<AccountStore, 'sessions' | 'endSession'>
  keptAddresses: Pick<KeptAddressStore, 'usedBytes'>
  providers: readonly PaymentProvider[]
  wrap: Wrap
  clock: Clock
  rules: EndRules
  /** URL of the account page, to which the portal links back. */
  backUrl: (language: string) => string
  storageBytes: number
  limits: AccountView['limits']
}

export function createAccount(deps: AccountDeps): Account {
  const { subscriptions, accounts, wrap, clock, rules } = deps

  /**
   * Returns the sources that a session may manage. Until the email address is confirmed, these are the ones that the
   * browser has paid itself: others may be of another payer. So it can stop its renewal even if the address is misspelled.
   */
  async function manageable({ sessionId, subscription }: Session, sources: readonly PaymentSource[]) {
    if (subscription.confirmed) return sources
    const orders = await deps.orders.ofEmail(subscription.emailKey)
    const own = new Set(orders.filter((order) => order.sessionId === sessionId).map(({ id }) => id))
    return sources.filter(({ orderId }) => own.has(orderId))
  }

  /** Returns a provider with a portal, and its customer. Prefers a source that renews, and of these one that fails. */
  async function portalOf(session: Session, all: readonly PaymentSource[]) {
    const sources = await manageable(session, all)
    const rank = ({ renews, failingSince }: PaymentSource): number => (renews ? 2 : 0) + (failingSince === null ? 0 : 1)
    for (const source of sources.toSorted((a, b) => rank(b) - rank(a))) {
      const provider = providerNamed(deps.providers, source.provider)
      if (provider?.portal && source.customer !== null) return { provider, customer: source.customer }
    }
    return undefined
  }

  /**
   * Returns the earliest end of a period that renews. It may be earlier than the end of the paid time, also if a year was
   * changed to months: the period that was paid last counts.
   */
  function renewalOf(sources: readonly PaymentSource[], payments: readonly Payment[]): number | null {
    const ends = sources
      .filter(({ renews }) => renews)
      .flatMap(({ provider, ref }) => {
        const periods = payments.flatMap(({ pays, paidAt, ...each }) =>
          each.provider === provider && each.ref === ref && 'until' in pays ? [{ until: pays.until, paidAt }] : [],
        )
        return periods.toSorted((a, b) => a.paidAt - b.paidAt || a.until - b.until).at(-1)?.until ?? []
      })
    return ends.length > 0 ? Math.min(...ends) : null
  }

  const email: Account['email'] = ({ subscription }) =>
    wrap.unwrapOrEmpty('email', subscription.sealedEmail, subscription.emailKey)

  return {
    email,

    async view({ sessionId, subscription }) {
      const now = clock()
      const { id, confirmed, plan, paidUntil, renews } = subscription
      const [payments, sources, sessions, usedBytes] = await Promise.all([
        subscriptions.payments(id),
        subscriptions.sources(id),
        accounts.sessions(id, now),
        deps.keptAddresses.usedBytes(id),
      ])
      return {
        email: email({ subscription }),
        confirmed,
        state: stateOf(subscription, rules, now),
        plan,
        paidUntil: paidUntil === 0 ? null : paidUntil,
        renews,
        renewsAt: renewalOf(sources, payments),
        endsAt: endsAt(subscription, rules) || null,
        lapsesAt: expectedLapse(subscription, rules, now) ?? null,
        portal: (await portalOf({ sessionId, subscription }, sources)) !== undefined,
        storage: { usedBytes, limitBytes: deps.storageBytes },
        limits: deps.limits,
        payments: payments.toSorted((a, b) => b.paidAt - a.paidAt),
        sessions: sessions.map(({ sealedLabel, createdAt, seenAt, ...session }) => ({
          id: session.id,
          label: wrap.unwrapOrEmpty('session label', sealedLabel, session.id),
          createdAt,
          seenAt,
          current: session.id === sessionId,
        })),
      }
    },

    async endSession({ subscription }, id) {
      if (!(await accounts.endSession(subscription.id, id))) throw new MayflyError('session_not_found')
    },

    async portal(session) {
      const { id, language } = session.subscription
      const { provider, customer } = (await portalOf(session, await subscriptions.sources(id))) ?? {}
      if (!provider) requireConfirmed(session.subscription)
      const url = customer && (await provider?.portal?.(customer, deps.backUrl(language), language))
      if (!url) throw new MayflyError('portal_unavailable')
      return url
    },
  }
}
