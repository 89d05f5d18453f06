import { setTimeout } from 'node:timers/promises'
import type { LetterContent, LetterStore, LetterVoices, NewLetter } from '#core/email/email.ts'
import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { createPeriodic } from '#lib/periodic.ts'
import { randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { LetterSender, WrappedLetter } from './email-sender.ts'

export interface Letters {
  /**
   * A mail to an email in a language, for the transaction that calls for it; `wake` when that is through. `id`, 22 characters,
   * where it may be called for again and is to be sent once.
   */
  queue(to: string, language: string, content: LetterContent, id?: string): NewLetter
  /** Keeps letters that no other transaction keeps, and wakes. */
  add(...letters: NewLetter[]): Promise<void>
  /** Sends what is due now instead of some seconds later. */
  wake(): void
  /** From now on letters are sent: those of this node at once, those of all by the node that has the turn. */
  start(voices: LetterVoices): void
  /** Resolves when nothing is being sent any more, or `grace` milliseconds are over. */
  stop(grace: number): Promise<void>
}

export interface LettersDeps {
  store: Pick<Store, 'hasTurn'> & { letters: Pick<LetterStore, 'add'> }
  sender: LetterSender
  wrap: Wrap
  clock: Clock
  logger: Logger
}

/** How often it is looked for letters that are due, in milliseconds. */
const LOOK_INTERVAL = 5000

/** The mails that Mayfly itself writes. They wait in the store, so that none is lost and no request waits for a relay. */
export function createLetters({ store, sender, wrap, clock, logger }: LettersDeps): Letters {
  let voices: LetterVoices | undefined
  let stopped = false
  let again = false
  let current: Promise<void> | undefined

  /** One run at a time; who comes during one is served by another round of it. */
  function sendDue(): Promise<void> {
    again = true
    if (!voices || stopped) return Promise.resolve()
    return (current ??= rounds(voices))
  }

  async function rounds(voice: LetterVoices): Promise<void> {
    try {
      while (again && !stopped) {
        again = false
        // oxlint-disable-next-line no-await-in-loop -- what was added meanwhile comes after what is being sent
        await sender.sendDue(voice, () => stopped)
      }
    } finally {
      current = undefined
    }
  }

  const looks = createPeriodic({ store, clock, logger, name: 'letters', interval: LOOK_INTERVAL, work: sendDue })

  function wake(): void {
    sendDue().catch((error: unknown) => logger.error({ err: error }, 'letters failed'))
  }

  return {
    queue(to, language, content, id = randomId()) {
      const letter: WrappedLetter = { to, language, content }
      return {
        id,
        sealed: wrap.wrap('letter', JSON.stringify(letter), id),
        createdAt: clock(),
      }
    },
    async add(...letters) {
      await store.letters.add(letters)
      wake()
    },
    wake,
    start(given) {
      voices = given
      looks.start()
      wake()
    },
    async stop(grace) {
      stopped = true
      await Promise.race([Promise.all([looks.stop(), current]), setTimeout(grace, undefined, { ref: false })])
    },
  }
}
