import type { ForwardingEnd, ForwardingId, ForwardingStore } from '#core/forwarding/forwarding.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { isAboutTheMail } from '#mail/forwarding/status.ts'

/** Ends forwardings after bounces or complaints. */
export interface ForwardingFailures {
  /**
   * Records that a message was permanently refused or bounced with `status`. Too many bounces end the forwarding.
   * Refusals because of the content of a message do not count. Otherwise any sender could end a forwarding with
   * messages that filters refuse.
   */
  recordBounce(id: ForwardingId, status: string | null): Promise<void>
  /** Records that a forwarded message was reported as abuse, which ends the forwarding. */
  recordComplaint(id: ForwardingId): Promise<void>
}

interface ForwardingFailuresDeps {
  store: Pick<ForwardingStore, 'recordBounce' | 'end'>
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** A forwarding ends after `max` hard bounces within `within` milliseconds. */
  bounces: { max: number; within: number }
}

export function createForwardingFailures({
  store,
  clock,
  bounces,
  ...deps
}: ForwardingFailuresDeps): ForwardingFailures {
  async function end(id: ForwardingId, reason: ForwardingEnd): Promise<void> {
    if (!(await store.end(id, reason, clock()))) return
    deps.metrics.count('forwardings_ended', { end: reason })
    deps.logger.info({ end: reason }, 'forwarding ended')
  }

  return {
    async recordBounce(id, status) {
      if (isAboutTheMail(status)) return
      const now = clock()
      if ((await store.recordBounce(id, now, now - bounces.within)) >= bounces.max) await end(id, 'bounced')
    },
    recordComplaint: (id) => end(id, 'complained'),
  }
}
