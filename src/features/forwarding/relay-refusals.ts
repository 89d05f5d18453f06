import { LRUCache } from 'lru-cache'
import type { MailRefused } from '#core/email/email.ts'
import type { DestinationKey } from '#core/forwarding/forwarding.ts'
import { domainOf } from '#core/mailbox/domain.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Clock, DAY } from '#core/time.ts'
import { createTrouble } from '#core/trouble.ts'
import { reasonOf } from '#lib/failure-reason.ts'

/** So many destinations, of so many domains, that are refused one after the other mean that the relay refuses all. */
const DESTINATIONS = 5
const DOMAINS = 2
/** The maximum number of destinations of a run that are remembered. */
const REMEMBERED = 1000

/**
 * What a refusal of a recipient means. `first` in the run of refusals: it can be about the mailbox. `again`: nothing was
 * accepted since that, so the relay may be the reason. `all`: the relay refuses every recipient.
 */
type RelayRefusal = 'first' | 'again' | 'all'

/** Tells a relay that refuses every recipient, such as one that no longer relays for this node, from refused mailboxes. */
interface RelayRefusals {
  /** Records that the relay accepted a recipient. */
  accepted(): void
  /** Records that it refused this recipient, with the email address `to`. */
  refused(destination: DestinationKey, to: string, error: MailRefused): RelayRefusal
}

export function createRelayRefusals(logger: Logger, clock: Clock): RelayRefusals {
  // The refused destinations since the last acceptance, with their domains. Each is forgotten after a day, so that a
  // mailbox that is gone is noticed even if there is no other destination.
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
