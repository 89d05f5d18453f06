import {
  type EmailContent,
  type EmailStore,
  type EmailTranslations,
  MailRefused,
  type Outbound,
  type WaitingEmail,
} from '#core/email/email.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import { type Clock, HOUR, MINUTE } from '#core/time.ts'
import { type BackOff, waitAfter } from '#lib/back-off.ts'
import { reasonOf } from '#lib/failure-reason.ts'
import { composeEmail, type EmailSettings } from '#mail/emails/compose.ts'
import { SealError } from '#mail/sealing/open.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { SignEmail } from './signed-emails.ts'

export interface EmailSender {
  /** Sends all due emails. Stops early when `isStopping` returns true. */
  sendDue(translations: EmailTranslations, isStopping: () => boolean): Promise<void>
}

export interface EmailSenderDeps {
  store: EmailStore
  outbound: Outbound
  sign: SignEmail
  wrap: Wrap
  clock: Clock
  logger: Logger
  metrics: Metrics
  settings: EmailSettings
  /** 0 to 1, exclusive. */
  random: () => number
  /** How long handing over one email may take, and how long an email is retried, in milliseconds. */
  timeout: number
  retryFor: number
}

const AT_ONCE = 8
const BACK_OFF: BackOff = { first: MINUTE / 2, longest: 60 * MINUTE }

export function createEmailSender(deps: EmailSenderDeps): EmailSender {
  const { store, outbound, wrap, clock, logger, metrics } = deps

  /** When the email becomes useless, because its link no longer works. */
  function endOf({ content }: WrappedEmail, { createdAt }: WaitingEmail): number {
    return createdAt + Math.min(deps.retryFor, usefulFor(content))
  }

  async function giveUp({ id }: WaitingEmail, kind: string, reason: object): Promise<void> {
    await store.remove(id)
    metrics.count('letters_failed', { kind })
    logger.error({ kind, ...reason }, 'email given up')
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
    async sendDue(translations, isStopping) {
      for (;;) {
        if (isStopping()) return
        const now = clock()
        // A node leases an email for as long as sending may take. If it dies, another node takes the email afterwards.
        const due = await store.take(now, now + 2 * deps.timeout, AT_ONCE)
        await Promise.all(due.map((each) => send(each, translations)))
        if (due.length < AT_ONCE) break
      }
      metrics.gauge('letters_waiting', await store.waiting())
    },
  }
}

function usefulFor(content: EmailContent): number {
  if (content.kind === 'sign-in') return content.minutes * MINUTE
  return content.kind === 'forwarding-confirm' ? content.hours * HOUR : Infinity
}

/** The wrapped content of a waiting email. */
export interface WrappedEmail {
  to: string
  language: string
  content: EmailContent
}
