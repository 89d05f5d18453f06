import type { ForwardingEnd, ForwardingId, ForwardingStore } from '#core/forwarding/forwarding.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { isAboutTheMail } from '#mail/forwarding/status.ts'

/** What ends a forwarding that nobody stopped. */
export interface ForwardingFaults {
  /**
   * A mail was refused for good, or came back, with this status; with too many of them the forwarding ends. What only the mail
   * was refused for counts as none: whoever knows an address could end its forwarding with mails that every filter refuses.
   */
  bounced(id: ForwardingId, status: string | null): Promise<void>
  /** A mail of it was called abuse. */
  complained(id: ForwardingId): Promise<void>
}

export interface ForwardingFaultsDeps {
  store: Pick<ForwardingStore, 'bounced' | 'end'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** So many hard bounces within so many milliseconds end a forwarding. */
  bounces: { max: number; within: number }
}

export function createForwardingFaults({ store, clock, bounces, ...deps }: ForwardingFaultsDeps): ForwardingFaults {
  async function end(id: ForwardingId, why: ForwardingEnd): Promise<void> {
    if (!(await store.end(id, why, clock()))) return
    deps.metrics.count('forwardings_ended', { end: why })
    deps.logger.info({ end: why }, 'forwarding ended')
  }

  return {
    async bounced(id, status) {
      if (isAboutTheMail(status)) return
      const now = clock()
      if ((await store.bounced(id, now, now - bounces.within)) >= bounces.max) await end(id, 'bounced')
    },
    complained: (id) => end(id, 'complained'),
  }
}
