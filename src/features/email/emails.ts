import { setTimeout } from 'node:timers/promises'
import type { EmailContent, EmailStore, EmailTranslations, NewEmail } from '#core/email/email.ts'
import type { Store } from '#core/store.ts'
import type { Logger } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { createPeriodic } from '#lib/periodic.ts'
import { randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { EmailSender, WrappedEmail } from './email-sender.ts'

export interface Emails {
  /**
   * Returns an email to an address in a language, for the transaction that needs it. Call `wake` afterwards. `id` (22
   * characters) makes sure that it is sent once if it is queued repeatedly.
   */
  queue(to: string, language: string, content: EmailContent, id?: string): NewEmail
  /** Stores emails that no other transaction stores, and wakes the sender. */
  add(...emails: NewEmail[]): Promise<void>
  /** Sends what is due now instead of a few seconds later. */
  wake(): void
  /** Starts sending: the emails of this node at once, those of all nodes on the leader. */
  start(translations: EmailTranslations): void
  /** Resolves when nothing is being sent anymore, or after `grace` milliseconds. */
  stop(grace: number): Promise<void>
}

export interface EmailsDeps {
  store: Pick<Store, 'isLeader'> & { emails: Pick<EmailStore, 'add'> }
  sender: EmailSender
  wrap: Wrap
  clock: Clock
  logger: Logger
}

/** How often due emails are looked for, in milliseconds. */
const LOOK_INTERVAL = 5000

/**
 * The emails that Mayfly itself sends. They wait in the store, so that none is lost and no request waits for a relay.
 */
export function createEmails({ store, sender, wrap, clock, logger }: EmailsDeps): Emails {
  let translations: EmailTranslations | undefined
  let stopped = false
  let again = false
  let current: Promise<void> | undefined

  /** One run at a time. Calls during a run cause another round. */
  function sendDue(): Promise<void> {
    again = true
    if (!translations || stopped) return Promise.resolve()
    return (current ??= rounds(translations))
  }

  async function rounds(texts: EmailTranslations): Promise<void> {
    try {
      while (again && !stopped) {
        again = false
        await sender.sendDue(texts, () => stopped)
      }
    } finally {
      current = undefined
    }
  }

  const looks = createPeriodic({ store, clock, logger, name: 'emails', interval: LOOK_INTERVAL, work: sendDue })

  function wake(): void {
    sendDue().catch((error: unknown) => logger.error({ err: error }, 'emails failed'))
  }

  return {
    queue(to, language, content, id = randomId()) {
      const email: WrappedEmail = { to, language, content }
      return {
        id,
        sealed: wrap.wrap('letter', JSON.stringify(email), id),
        createdAt: clock(),
      }
    },
    async add(...emails) {
      await store.emails.add(emails)
      wake()
    },
    wake,
    start(given) {
      translations = given
      looks.start()
      wake()
    },
    async stop(grace) {
      stopped = true
      await Promise.race([Promise.all([looks.stop(), current]), setTimeout(grace, undefined, { ref: false })])
    },
  }
}
