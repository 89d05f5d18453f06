import type { Order, OrderState } from '#core/billing/order.ts'
import type { Difference } from '#core/billing/payment.ts'
import type { EndRules, Settlement, Subscription, SubscriptionStore } from '#core/billing/subscription.ts'
import type { SubscriptionId } from '#core/ids.ts'
import type { OwnDomainStore } from '#core/own-domains/own-domain.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Emails } from '#features/email/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { differencesOf } from './differences.ts'
import { settlementOf, type ProviderState } from './settlement.ts'
import { ownsDomains } from './subscriber.ts'

interface SettlerDeps {
  subscriptions: SubscriptionStore
  ownDomains: Pick<OwnDomainStore, 'list'>
  emails: Pick<Emails, 'queue' | 'wake'>
  wrap: Wrap
  clock: Clock
  metrics: Metrics
  logger: Logger
  rules: EndRules
  /** URL of the account page. */
  accountUrl: (language: string) => string
  /** Applies the current rules to the addresses of a subscription, which may have become active again. */
  align(id: SubscriptionId): Promise<void>
}

export interface ProviderUpdate {
  /** As it was before the provider was queried. */
  subscription: Subscription
  providerState: ProviderState
  /** The order that the source pays for, and its state in the same report. Null for a grant by the operator. */
  paidFor: { order: Order; state: OrderState } | null
  event: Settlement['event']
}

export interface Settler {
  /**
   * Applies a provider state in one transaction. `conflict`: the subscription changed since it was read, so the
   * provider state may be outdated. `same`: nothing had to change, and there was no event to store.
   */
  apply(
    update: ProviderUpdate,
  ): Promise<{ outcome: 'settled' | 'same' | 'duplicate' | 'conflict'; differences: Difference[] }>
}

export function createSettler(deps: SettlerDeps): Settler {
  const { subscriptions, emails, wrap, clock, metrics, logger, rules } = deps

  async function settle({ subscription, providerState, paidFor, event }: ProviderUpdate): ReturnType<Settler['apply']> {
    const now = clock()
    const { id } = subscription
    const [sources, payments, domains] = await Promise.all([
      subscriptions.sources(id),
      subscriptions.payments(id),
      ownsDomains(deps.ownDomains, id),
    ])
    const ledger = { subscription, sources, payments }
    const language = paidFor && payments.length === 0 ? paidFor.order.language : subscription.language
    const account = { url: deps.accountUrl(language), domains }
    const { settlement, emails: causedEmails, granted } = settlementOf(ledger, providerState, rules, now, account)
    const { change } = settlement
    const differences = differencesOf(ledger, settlement, paidFor && { was: paidFor.order.state, is: paidFor.state })
    if (differences.length === 0 && !event) return { outcome: 'same', differences }

    const to = wrap.unwrapOrEmpty('email', subscription.sealedEmail, subscription.emailKey)
    // The payment counts even if the email address is damaged and nobody can be notified.
    const newEmails = to === '' ? [] : causedEmails
    const outcome = await subscriptions.settle({
      ...settlement,
      event,
      order: paidFor && { id: paidFor.order.id, state: paidFor.state },
      change: { ...change, language },
      emails: newEmails.map(({ cause, content, facts }) =>
        emails.queue(to, language, content, { id: wrap.hash('letter', cause), facts }),
      ),
    })
    if (outcome !== 'settled') return { outcome, differences }
    for (const { plan, provider } of granted) metrics.count('grants', { plan, provider })
    if (paidFor && paidFor.order.state !== paidFor.state) {
      const { plan, provider } = paidFor.order
      metrics.count('orders', { plan, provider, state: paidFor.state })
    }
    if (subscription.noticeAt === null && typeof change.noticeAt === 'number')
      metrics.count('subscription_endings', { step: 'notice' })
    if (newEmails.length > 0) emails.wake()
    return { outcome, differences }
  }

  /**
   * Runs after the commit. If the process dies before it, or it fails, the repetition of the event completes it, or
   * `Endings.heal`. Without an event nothing is repeated, and the caller must not take what is committed for failed.
   */
  async function alignActive({ subscription: { id }, event }: ProviderUpdate): Promise<void> {
    try {
      const current = await subscriptions.find(id)
      if (current && !current.lapsed) await deps.align(id)
    } catch (error) {
      if (event) throw error
      logger.error({ err: error }, 'the addresses of a subscription were not restored: this is repeated within a day')
    }
  }

  return {
    async apply(update) {
      const result = await settle(update)
      if (result.outcome !== 'conflict') await alignActive(update)
      return result
    },
  }
}
