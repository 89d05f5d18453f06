import type { Subscription, SubscriptionStore } from '#core/billing/subscription.ts'
import {
  type EmailContent,
  type EmailStore,
  type EmailTranslations,
  MailRefused,
  type Outbound,
  type WaitingEmail,
} from '#core/email/email.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, DAY, HOUR, MINUTE } from '#core/time.ts'
import { type BackOff, waitAfter } from '#lib/back-off.ts'
import { reasonOf } from '#lib/failure-reason.ts'
import { composeEmail, type EmailSettings } from '#mail/emails/compose.ts'
import { SealError } from '#mail/sealing/open.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { SignEmail } from './signed-emails.ts'

export interface EmailSender {
  /** Leases up to `limit` due emails for as long as sending them may take. */
  take(limit: number): Promise<WaitingEmail[]>
  /**
   * Sends an email, and then removes, postpones or gives it up. Drops one that is no longer true. Rejects if that cannot
   * be stored.
   */
  send(waiting: WaitingEmail, translations: EmailTranslations): Promise<void>
}

interface EmailSenderDeps {
  store: Pick<EmailStore, 'take' | 'remove' | 'postpone'>
  subscriptions: Pick<SubscriptionStore, 'find'>
  outbound: Outbound
  sign: SignEmail
  wrap: Wrap
  clock: Clock
  logger: Logger
  metrics: Metrics
  settings: EmailSettings
  /** Returns a number from 0 up to, but not including, 1. */
  random: () => number
  /** The timeout for sending an email, and how long it is retried at least if it stays useful, in milliseconds. */
  timeout: number
  retryFor: number
}

const BACK_OFF: BackOff = { first: MINUTE / 2, longest: 60 * MINUTE }
/**
 * How long emails about Premium are retried: nobody can ask for them again, and a relay may be down for a weekend. One
 * that says when addresses lapse is retried until then.
 */
const PREMIUM_RETRY_TIME = 7 * DAY

export function createEmailSender(deps: EmailSenderDeps): EmailSender {
  const { store, outbound, wrap, clock, logger, metrics } = deps

  /** Returns when an email is given up. */
  function endOf({ content }: WrappedEmail, { createdAt }: WaitingEmail): number {
    const end = createdAt + deps.retryFor
    if (content.kind === 'forwarding-on') return end
    if (content.kind === 'sign-in') return Math.min(end, createdAt + content.minutes * MINUTE)
    if (content.kind === 'forwarding-confirm') return Math.min(end, createdAt + content.hours * HOUR)
    const lapse = 'lapsesAt' in content ? content.lapsesAt : undefined
    return Math.max(end, lapse ?? createdAt + PREMIUM_RETRY_TIME)
  }

  async function giveUp({ id }: WaitingEmail, kind: string, reason: object): Promise<void> {
    await store.remove(id)
    metrics.count('letters_failed', { kind })
    logger.error({ kind, ...reason }, 'email given up')
  }

  /** Whether the subscription has changed so that the email is no longer true. */
  async function isOutdated({ facts }: WrappedEmail): Promise<boolean> {
    if (!facts) return false
    const subscription = await deps.subscriptions.find(facts.id)
    return Object.entries(facts).some(([name, value]) => subscription?.[name as keyof SubscriptionFacts] !== value)
  }

  async function send(waiting: WaitingEmail, translations: EmailTranslations): Promise<void> {
    let email
    try {
      email = JSON.parse(wrap.unwrap('letter', waiting.sealed, waiting.id)) as WrappedEmail
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      return giveUp(waiting, 'unknown', { err: error })
    }
    const { kind } = email.content
    if (await isOutdated(email)) {
      logger.info({ kind }, 'email dropped, as it is no longer true')
      return store.remove(waiting.id)
    }
    try {
      const { language, to, content } = email
      const about = { id: waiting.id, to, language, date: waiting.createdAt }
      const raw = await deps.sign(await composeEmail(content, await translations(language), about, deps.settings))
      await outbound.send({ name: `${kind}-${waiting.id}`, to, raw })
    } catch (error) {
      const dueAt = clock() + waitAfter(waiting.attempts, BACK_OFF, deps.random)
      if (error instanceof MailRefused || dueAt >= endOf(email, waiting)) return giveUp(waiting, kind, reasonOf(error))
      logger.warn({ kind, attempts: waiting.attempts + 1, ...reasonOf(error) }, 'email postponed')
      return store.postpone(waiting.id, dueAt)
    }
    await store.remove(waiting.id)
    metrics.count('letters_sent', { kind })
  }

  return {
    take(limit) {
      const now = clock()
      // If the node dies, another node sends the email after the lease.
      return store.take(now, now + 2 * deps.timeout, limit)
    },
    send,
  }
}

/** What an email says about a subscription: it is sent only while the subscription has these values. */
export type SubscriptionFacts = Pick<Subscription, 'id'> &
  Partial<Pick<Subscription, 'paidUntil' | 'failingSince' | 'noticeAt' | 'lapsed'>>

/** The content of `NewEmail.sealed`. */
export interface WrappedEmail {
  to: string
  language: string
  content: EmailContent
  /** Missing if the email stays true, and in emails that an earlier version queued. */
  facts?: SubscriptionFacts | undefined
}
