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
import type { Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { Emails } from '#features/email/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import { noticeDueAt } from './subscription-state.ts'

export interface Endings {
  /** Tells those whose end is near, and ends those whose notice is old enough. */
  run(stopping?: AbortSignal): Promise<void>
  /** Gives the addresses of every subscription the rules that it has now; what a kill left half done is whole then. */
  heal(stopping?: AbortSignal): Promise<void>
  /** Gives the addresses of one subscription the rules that it has now. To be called when one has come back. */
  align(id: SubscriptionId): Promise<void>
}

export interface EndingsDeps {
  subscriptions: Pick<SubscriptionStore, 'find' | 'list' | 'ending' | 'change'>
  keptAddresses: Pick<KeptAddressStore, 'list' | 'release' | 'restore'>
  emails: Pick<Emails, 'queue' | 'wake'>
  wrap: Wrap
  clock: Clock
  metrics: Metrics
  rules: EndRules
  lifetimes: Pick<Lifetimes, 'day' | 'quarantine'>
  /** Pages of the site: what the subscriber has, and what can be bought. */
  accountUrl: (language: string) => string
  premiumUrl: (language: string) => string
  /** Subscriptions that are read at once. */
  step: number
}

/** What happens to subscriptions that are not renewed: a notice by mail, and not before it is old enough, the free rules. */
export function createEndings(deps: EndingsDeps): Endings {
  const { subscriptions, keptAddresses, emails, clock, metrics, rules, lifetimes } = deps

  /** Returns no email if the subscriber's email address is damaged: the rules apply without it. */
  function emailsTo({ emailKey, sealedEmail, language }: Subscription, content: EmailContent) {
    const to = deps.wrap.unwrapOrEmpty('email', sealedEmail, emailKey)
    return to === '' ? [] : [emails.queue(to, language, content)]
  }

  async function applyRules({ id, lapsed }: Subscription): Promise<void> {
    const now = clock()
    if (!lapsed) {
      // Nearly always all is well, and a write would cost more than this look.
      const kept = await keptAddresses.list(id, now)
      if (kept.some(({ expiresAt }) => expiresAt !== null && expiresAt < NEVER)) await keptAddresses.restore(id, now)
      return
    }
    const expiresAt = now + lifetimes.day
    return keptAddresses.release(id, expiresAt, expiresAt + lifetimes.quarantine, now)
  }

  async function align(id: SubscriptionId): Promise<void> {
    for (;;) {
      const before = await subscriptions.find(id)
      if (!before) return
      await applyRules(before)
      const after = await subscriptions.find(id)
      if (after?.lapsed === before.lapsed) return
    }
  }

  /** Another node, or a payment, may be faster: then the revision is another, and the next run looks again. */
  async function step(subscription: Subscription, now: number): Promise<void> {
    const { id, revision, language, noticeAt } = subscription
    if (noticeAt === null) {
      if (now < noticeDueAt(subscription, rules)) return
      const lapse = Math.max(endsAt(subscription, rules), now + rules.notice)
      const queued = emailsTo(subscription, { kind: 'notice', lapsesAt: lapse, url: deps.accountUrl(language) })
      if (await subscriptions.change(id, revision, { noticeAt: now }, queued))
        metrics.count('subscription_endings', { step: 'notice' })
    } else if (now >= (lapsesAt(subscription, rules) ?? Infinity)) {
      const queued = emailsTo(subscription, { kind: 'ended', url: deps.premiumUrl(language) })
      if (!(await subscriptions.change(id, revision, { lapsed: true }, queued))) return
      metrics.count('subscription_endings', { step: 'lapse' })
      await align(id)
    }
  }

  return {
    align,

    async run(stopping) {
      const now = clock()
      let last: Subscription | undefined
      do {
        const page: Subscription[] = await subscriptions.ending(now + rules.notice + 1, deps.step, last)
        for (const each of page) {
          if (stopping?.aborted) return
          await step(each, now)
        }
        last = page.length < deps.step ? undefined : page.at(-1)
      } while (last)
      emails.wake()
    },

    async heal(stopping) {
      let last: Subscription | undefined
      do {
        const page: Subscription[] = await subscriptions.list(deps.step, last?.id)
        for (const { id } of page) {
          if (stopping?.aborted) return
          await align(id)
        }
        last = page.length < deps.step ? undefined : page.at(-1)
      } while (last)
    },
  }
}
