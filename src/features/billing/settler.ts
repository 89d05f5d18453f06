import type { Order, OrderState } from '#core/billing/order.ts'
import type { EndRules, Settlement, Subscription, SubscriptionStore } from '#core/billing/subscription.ts'
import type { SubscriptionId } from '#core/ids.ts'
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Emails } from '#features/email/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { type Difference, differencesOf } from './differences.ts'
import { settlementOf, type ProviderState } from './settlement.ts'

export interface SettlerDeps {
  subscriptions: SubscriptionStore
  emails: Pick<Emails, 'queue' | 'wake'>
  wrap: Wrap
  clock: Clock
  metrics: Metrics
  rules: EndRules
  /** Page of the account. */
  accountUrl: (language: string) => string
  /** Gives the addresses of a subscription that has come back its rules. */
  align(id: SubscriptionId): Promise<void>
}

export interface ProviderUpdate {
  /** As it was before the provider was asked. */
  subscription: Subscription
  providerState: ProviderState
  /** The order that the source pays for, and how it stands by the same state; null for a grant of the operator. */
  order: { order: Order; state: OrderState } | null
  event: Settlement['event']
}

export interface Settler {
  /**
   * Applies what a provider reports of a source, in one transaction. `conflict`: the subscription changed since it was read, so
   * the report may be an old one. `same`: there was nothing to change, and no event to remember.
   */
  apply(
    update: ProviderUpdate,
  ): Promise<{ outcome: 'settled' | 'same' | 'duplicate' | 'conflict'; differences: Difference[] }>
}

export function createSettler(deps: SettlerDeps): Settler {
  const { subscriptions, emails, wrap, clock, metrics, rules } = deps

  return {
    async apply({ subscription, providerState, order, event }) {
      const now = clock()
      const { id } = subscription
      const [sources, payments] = await Promise.all([subscriptions.sources(id), subscriptions.payments(id)])
      const ledger = { subscription, sources, payments }
      const language = order && payments.length === 0 ? order.order.language : subscription.language
      const url = deps.accountUrl(language)
      const { settlement, emails: called, granted } = settlementOf(ledger, providerState, rules, now, url)
      const { change } = settlement
      const differences = differencesOf(ledger, settlement, order && { was: order.order.state, is: order.state })
      if (differences.length === 0 && !event) return { outcome: 'same', differences }

      const to = wrap.unwrapOrEmpty('email', subscription.sealedEmail, subscription.emailKey)
      // The payment counts even if the email address is damaged and nobody can be notified.
      const notices = to === '' ? [] : called
      const outcome = await subscriptions.settle({
        ...settlement,
        event,
        order: order && { id: order.order.id, state: order.state },
        change: { ...change, language },
        emails: notices.map(({ cause, content }) => emails.queue(to, language, content, wrap.hash('letter', cause))),
      })
      if (outcome !== 'settled') return { outcome, differences }
      for (const { plan, provider } of granted) metrics.count('grants', { plan, provider })
      if (order && order.order.state !== order.state) {
        const { plan, provider } = order.order
        metrics.count('orders', { plan, provider, state: order.state })
      }
      if (notices.length > 0) emails.wake()
      // After it: where a process dies in between, the healing makes up for it.
      if (subscription.lapsed && !change.lapsed) await deps.align(id)
      return { outcome, differences }
    },
  }
}
