import {
  type LetterContent,
  type LetterStore,
  type LetterVoices,
  MailRefused,
  type Outbound,
  type WaitingLetter,
} from '#core/email/email.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { type BackOff, waitAfter } from '#lib/back-off.ts'
import { reasonOf } from '#lib/failure-reason.ts'
import { composeLetter, type LetterSettings } from '#mail/letters/compose.ts'
import { SealError } from '#mail/sealing/open.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { SignLetter } from './signed-emails.ts'

export interface LetterSender {
  /** Sends all letters that are due; ends early when `isStopping`. */
  sendDue(voices: LetterVoices, isStopping: () => boolean): Promise<void>
}

export interface LetterSenderDeps {
  store: LetterStore
  outbound: Outbound
  sign: SignLetter
  wrap: Wrap
  clock: Clock
  logger: Logger
  metrics: Metrics
  settings: LetterSettings
  /** From 0 up to 1. */
  random: () => number
  /** How long handing over one mail may take, and how long a mail is tried, in milliseconds. */
  timeout: number
  retryFor: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const AT_ONCE = 8
const BACK_OFF: BackOff = { first: MINUTE / 2, longest: 60 * MINUTE }

export function createLetterSender(deps: LetterSenderDeps): LetterSender {
  const { store, outbound, wrap, clock, logger, metrics } = deps

  /** Until when it is of use: nobody wants a link that works no more. */
  function endOf({ content }: WrappedLetter, { createdAt }: WaitingLetter): number {
    return createdAt + Math.min(deps.retryFor, usefulFor(content))
  }

  async function giveUp({ id }: WaitingLetter, kind: string, reason: object): Promise<void> {
    await store.remove(id)
    metrics.count('letters_failed', { kind })
    logger.error({ kind, ...reason }, 'letter given up')
  }

  async function send(waiting: WaitingLetter, voices: LetterVoices): Promise<void> {
    let letter
    try {
      letter = JSON.parse(wrap.unwrap('letter', waiting.sealed, waiting.id)) as WrappedLetter
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      return giveUp(waiting, 'unknown', { err: error })
    }
    const { kind } = letter.content
    try {
      const { language, to, content } = letter
      const about = { id: waiting.id, to, language, date: waiting.createdAt }
      const raw = await deps.sign(await composeLetter(content, await voices(language), about, deps.settings))
      await outbound.send({ name: `${kind}-${waiting.id}`, to, raw })
    } catch (error) {
      const dueAt = clock() + waitAfter(waiting.attempts, BACK_OFF, deps.random)
      if (error instanceof MailRefused || dueAt >= endOf(letter, waiting)) return giveUp(waiting, kind, reasonOf(error))
      logger.warn({ kind, attempts: waiting.attempts + 1, ...reasonOf(error) }, 'letter postponed')
      return store.postpone(waiting.id, dueAt)
    }
    await store.remove(waiting.id)
    metrics.count('letters_sent', { kind })
  }

  return {
    async sendDue(voices, isStopping) {
      for (;;) {
        if (isStopping()) return
        const now = clock()
        // Whoever takes a letter has it for as long as sending it may take; if he dies, another takes it after that.
        // oxlint-disable-next-line no-await-in-loop -- so many at once, and not more
        const due = await store.take(now, now + 2 * deps.timeout, AT_ONCE)
        // oxlint-disable-next-line no-await-in-loop
        await Promise.all(due.map((each) => send(each, voices)))
        if (due.length < AT_ONCE) break
      }
      metrics.gauge('letters_waiting', await store.waiting())
    },
  }
}

function usefulFor(content: LetterContent): number {
  if (content.kind === 'sign-in') return content.minutes * MINUTE
  return content.kind === 'forwarding-confirm' ? content.hours * HOUR : Infinity
}

/** What waits under the wrap of a letter. */
export interface WrappedLetter {
  to: string
  language: string
  content: LetterContent
}
