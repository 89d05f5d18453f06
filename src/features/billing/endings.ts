import type { KeptAddressStore } from '#core/account/kept-address.ts'
import {
  type EndRules,
  endsAt,
  lapsesAt,
  type Subscription,
  type SubscriptionStore,
} from '#core/billing/subscription.ts'
import type { EmailContent } from '#core/email/email.ts'
import type { SubscriptionId } from '#core/ids.ts'
import { type Lifetimes, NEVER } from '#core/mailbox/lifetime.ts'
import type { OwnDomainStore } from '#core/own-domains/own-domain.ts'
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Emails, SubscriptionFacts } from '#features/email/index.ts'
import { inBatches } from '#lib/batches.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { ownsDomains } from './subscriber.ts'
import { noticeDueAt } from './subscription-state.ts'

interface Endings {
  /** Sends the notices that are due and lapses the subscriptions whose notice is old enough. */
  run(stopping?: AbortSignal): Promise<void>
  /**
   * Applies the current rules to the addresses of every subscription. Completes what an interrupted process left
   * undone.
   */
  heal(stopping?: AbortSignal): Promise<void>
  /**
   * Applies the current rules to the addresses of one subscription. Call it after it lapsed, and whenever a settlement finds
   * it active. A call for one that lapsed long ago would give its addresses another day.
   */
  align(id: SubscriptionId): Promise<void>
}

interface EndingsDeps {
  subscriptions: Pick<SubscriptionStore, 'find' | 'list' | 'ending' | 'change'>
  keptAddresses: Pick<KeptAddressStore, 'list' | 'release' | 'restore'>
  ownDomains: Pick<OwnDomainStore, 'list'>
  emails: Pick<Emails, 'queue' | 'wake'>
  wrap: Wrap
  clock: Clock
  metrics: Metrics
  rules: EndRules
  lifetimes: Pick<Lifetimes, 'day' | 'quarantine'>
  /** URLs of the account page and of the page with the plans. */
  accountUrl: (language: string) => string
  premiumUrl: (language: string) => string
  /** Subscriptions per batch. */
  batchSize: number
}

/**
 * Ends the subscriptions that are not renewed: first a notice by email, then, once the notice is old enough, the free
 * rules.
 */
export function createEndings(deps: EndingsDeps): Endings {
  const { subscriptions, keptAddresses, emails, clock, metrics, rules, lifetimes } = deps

  /**
   * Returns an email to send as long as the change holds. Returns none if the subscriber's email address is damaged: the
   * rules apply without it.
   */
  function emailsTo(
    { id, emailKey, sealedEmail, language }: Subscription,
    content: EmailContent,
    change: Pick<SubscriptionFacts, 'noticeAt' | 'lapsed'>,
  ) {
    const to = deps.wrap.unwrapOrEmpty('email', sealedEmail, emailKey)
    return to === '' ? [] : [emails.queue(to, language, content, { facts: { id, ...change } })]
  }

  async function applyRules({ id, lapsed }: Subscription): Promise<void> {
    const now = clock()
    if (!lapsed) {
      // Usually nothing has to change. Reading first is cheaper than a write.
      const kept = await keptAddresses.list(id, now)
      if (kept.some(({ expiresAt }) => expiresAt !== null && expiresAt < NEVER)) await keptAddresses.restore(id, now)
      return
    }
    const expiresAt = now + lifetimes.day
    return keptAddresses.release(id, expiresAt, expiresAt + lifetimes.quarantine, now)
  }

  async function align(id: SubscriptionId): Promise<void> {
    for (;;) {
      const subscription = await subscriptions.find(id)
      if (!subscription) return
      await applyRules(subscription)
      const current = await subscriptions.find(id)
      if (current?.lapsed === subscription.lapsed) return
    }
  }

  /**
   * A concurrent payment or another node may increment the revision. Nothing changes then, and the next run checks
   * again.
   */
  async function step(subscription: Subscription, now: number): Promise<void> {
    const { id, revision, language, noticeAt } = subscription
    if (noticeAt === null) {
      if (now < noticeDueAt(subscription, rules)) return
      const end = endsAt(subscription, rules)
      const domains = await ownsDomains(deps.ownDomains, id)
      const dates = { lapsesAt: Math.max(end, now + rules.notice), domains, url: deps.accountUrl(language) }
      const change = { noticeAt: now }
      const fails = subscription.failingSince !== null
      const queued = emailsTo(
        subscription,
        subscription.renews && fails && now < end
          ? { kind: 'renewal-failed', until: end, ...dates }
          : { kind: 'notice', endsAt: now < end ? end : null, renews: subscription.renews && !fails, ...dates },
        change,
      )
      if (await subscriptions.change(id, revision, change, queued))
        metrics.count('subscription_endings', { step: 'notice' })
    } else if (now >= (lapsesAt(subscription, rules) ?? Infinity)) {
      const change = { lapsed: true }
      const queued = emailsTo(
        subscription,
        { kind: 'ended', domains: await ownsDomains(deps.ownDomains, id), url: deps.premiumUrl(language) },
        change,
      )
      if (!(await subscriptions.change(id, revision, change, queued))) return
      metrics.count('subscription_endings', { step: 'lapse' })
      await align(id)
    }
  }

  return {
    align,

    async run(stopping) {
      const now = clock()
      const ending = inBatches<Subscription>(
        (limit, after) => subscriptions.ending(now + rules.notice + 1, limit, after),
        { size: deps.batchSize },
      )
      for await (const each of ending) {
        if (stopping?.aborted) return
        await step(each, now)
      }
      emails.wake()
    },

    async heal(stopping) {
      const all = inBatches<Subscription>((limit, after) => subscriptions.list(limit, after?.id), {
        size: deps.batchSize,
      })
      for await (const { id } of all) {
        if (stopping?.aborted) return
        await align(id)
      }
    },
  }
}
