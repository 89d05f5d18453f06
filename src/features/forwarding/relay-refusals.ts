import { LRUCache } from 'lru-cache'
import type { MailRefused } from '#core/email/email.ts'
import type { DestinationKey } from '#core/forwarding/forwarding.ts'
import { domainOf } from '#core/mailbox/domain.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, DAY } from '#core/time.ts'
import { createTrouble } from '#core/trouble.ts'
import { reasonOf } from '#lib/failure-reason.ts'

/** The relay counts as refusing everyone after it refused this many destinations, at this many domains, in a row. */
const DESTINATIONS = 5
const DOMAINS = 2
/** The maximum number of destinations of a run that are remembered. */
const REMEMBERED = 1000

/**
 * What a refusal of a recipient means. `first`: the first refusal of this destination since the relay last accepted
 * someone, so the mailbox may be the reason. `again`: a further one, so the relay may be the reason. `all`: the relay
 * refuses every recipient.
 */
type RelayRefusal = 'first' | 'again' | 'all'

/** Distinguishes a relay that refuses everyone, such as one that no longer accepts this node, from refused mailboxes. */
interface RelayRefusals {
  /** Records that the relay accepted a recipient. */
  accepted(): void
  /** Records that it refused this recipient, with the email address `to`. */
  refused(destination: DestinationKey, to: string, error: MailRefused): RelayRefusal
}

export function createRelayRefusals(logger: Logger, clock: Clock): RelayRefusals {
  // The destinations that were refused since the last acceptance, with their domains. Each is forgotten after a day.
  // Otherwise a mailbox that is gone would not be noticed if there is no other destination.
  const run = new LRUCache<DestinationKey, string>({
    max: REMEMBERED,
    ttl: DAY,
    ttlResolution: 0,
    perf: { now: clock },
  })
  const trouble = createTrouble({
    start: (error) =>
      logger.error(reasonOf(error), 'the relay refuses all recipients; their messages are retried for a day'),
    end: () => logger.info({}, 'the relay accepts recipients again'),
  })
  return {
    accepted() {
      run.clear()
      trouble.end()
    },
    refused(destination, to, error) {
      run.purgeStale()
      const isFirst = !run.has(destination)
      if (isFirst) run.set(destination, domainOf(to))
      if (run.size < DESTINATIONS || new Set(run.values()).size < DOMAINS) return isFirst ? 'first' : 'again'
      // Its day starts again, because a relay can refuse all for longer than that.
      run.set(destination, domainOf(to))
      trouble.start(error)
      return 'all'
    },
  }
}
