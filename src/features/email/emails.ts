import type { EmailContent, EmailStore, EmailTranslations, NewEmail, WaitingEmail } from '#core/email/email.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { createDispatcher } from '#lib/dispatcher.ts'
import { randomId } from '#lib/token.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'
import type { EmailSender, SubscriptionFacts, WrappedEmail } from './email-sender.ts'

export interface Emails {
  /**
   * Returns an email to store in the caller's transaction. Call `wake` after the commit. Pass an `id` of 22 characters
   * if the email may be queued repeatedly but must be sent once, and `facts` if it may become untrue while it waits.
   */
  queue(
    to: string,
    language: string,
    content: EmailContent,
    options?: { id?: string; facts?: SubscriptionFacts | undefined },
  ): NewEmail
  /** Stores emails that no other transaction stores, and wakes the sender. */
  add(...emails: NewEmail[]): Promise<void>
  /** Sends what is due now instead of a few seconds later. */
  wake(): void
  /** Starts sending: the emails of this node at once, those of other nodes when they are due and not leased. */
  start(translations: EmailTranslations): void
  /** Stops sending. Resolves when no email is being sent, or after `grace` milliseconds. */
  stop(grace: number): Promise<void>
}

interface EmailsDeps {
  store: { emails: Pick<EmailStore, 'add' | 'waiting'> }
  sender: EmailSender
  wrap: Wrap
  clock: Clock
  logger: Logger
  metrics: Metrics
}

/** Emails that are sent at the same time. */
const MAX_AT_ONCE = 8

/**
 * The emails that Mayfly itself sends. They wait in the store, so that none is lost and no request waits for the relay.
 */
export function createEmails({ store, sender, wrap, clock, logger, metrics }: EmailsDeps): Emails {
  const translations = Promise.withResolvers<EmailTranslations>()
  const dispatcher = createDispatcher<WaitingEmail>({
    name: 'emails',
    logger,
    take: ({ limit }) => sender.take(limit),
    // All emails go to the same relay.
    destination: () => 'relay',
    run: async (email) => sender.send(email, await translations.promise),
    onLook: async () => metrics.gauge('letters_waiting', await store.emails.waiting()),
    maxAtOnce: MAX_AT_ONCE,
    maxPerDestination: MAX_AT_ONCE,
  })

  return {
    queue(to, language, content, { id = randomId(), facts } = {}) {
      const email: WrappedEmail = { to, language, content, facts }
      return {
        id,
        sealed: wrap.wrap('letter', JSON.stringify(email), id),
        createdAt: clock(),
      }
    },
    async add(...emails) {
      await store.emails.add(emails)
      dispatcher.wake()
    },
    wake: dispatcher.wake,
    start(texts) {
      translations.resolve(texts)
      dispatcher.start()
    },
    stop: dispatcher.stop,
  }
}
