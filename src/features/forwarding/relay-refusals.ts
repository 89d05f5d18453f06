import type { MailRefused } from '#core/email/email.ts'
import type { DestinationKey } from '#core/forwarding/forwarding.ts'
import type { Logger } from '#core/telemetry.ts'
import { createTrouble } from '#core/trouble.ts'
import { reasonOf } from '#lib/failure-reason.ts'

/** So many destinations that are refused one after the other mean that the relay refuses every recipient. */
const DESTINATIONS = 5

/** Tells a relay that refuses every recipient, such as one that no longer relays for this node, from refused mailboxes. */
interface RelayRefusals {
  /** Records that the relay accepted a recipient. */
  accepted(): void
  /** Records that it refused this recipient. Returns whether it refuses all. */
  refused(destination: DestinationKey, error: MailRefused): boolean
}

export function createRelayRefusals(logger: Logger): RelayRefusals {
  const refused = new Set<DestinationKey>()
  const trouble = createTrouble({
    start: (error) =>
      logger.error(reasonOf(error), 'the relay refuses all recipients; their messages are retried for a day'),
    end: () => logger.info({}, 'the relay accepts recipients again'),
  })
  return {
    accepted() {
      refused.clear()
      trouble.end()
    },
    refused(destination, error) {
      if (refused.size < DESTINATIONS) refused.add(destination)
      if (refused.size < DESTINATIONS) return false
      trouble.start(error)
      return true
    },
  }
}
