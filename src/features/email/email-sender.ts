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
  /** Sends all emails that are due; ends early when `isStopping`. */
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
  /** From 0 up to 1. */
  random: () => number
  /** How long handing over one mail may take, and how long a mail is tried, in milliseconds. */
  timeout: number
  retryFor: number
}

const AT_ONCE = 8
const BACK_OFF: BackOff = { first: MINUTE / 2, longest: 60 * MINUTE }

export function createEmailSender(deps: EmailSenderDeps): EmailSender {
  const { store, outbound, wrap, clock, logger, metrics } = deps

  /** Until when it is of use: nobody wants a link that works no more. */
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
        // Whoever takes an email has it for as long as sending it may take; if he dies, another takes it after that.
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

/** What waits under the wrap of an email. */
export interface WrappedEmail {
  to: string
  language: string
  content: EmailContent
}
