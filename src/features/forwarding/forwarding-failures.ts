import type { DestinationLimits } from '#core/forwarding/forwarding-rules.ts'
import type { ForwardingEnd, ForwardingId, ForwardingStore } from '#core/forwarding/forwarding.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import { endBehind } from './forwarding-stop.ts'

/** Ends forwardings after bounces or complaints. */
export interface ForwardingFailures {
  /**
   * Records that a message was refused or bounced because the mailbox is gone. Too many such bounces end the forwarding.
   * Others must not be recorded here: any sender could end a forwarding with messages that the destination refuses.
   */
  recordBounce(id: ForwardingId): Promise<void>
  /** Records that a forwarded message was reported as abuse, which ends the forwarding. */
  recordComplaint(id: ForwardingId): Promise<void>
}

interface ForwardingFailuresDeps {
  store: Pick<ForwardingStore, 'find' | 'list' | 'recordBounce' | 'end'>
  addresses: Pick<AddressStore, 'find'>
  clock: Clock
  logger: Logger
  metrics: Pick<Metrics, 'count'>
  destinationLimits: DestinationLimits
  /** A forwarding ends after `max` hard bounces within `within` milliseconds. */
  bounces: { max: number; within: number }
}

export function createForwardingFailures(deps: ForwardingFailuresDeps): ForwardingFailures {
  const { store, clock, bounces } = deps

  async function end(id: ForwardingId, reason: ForwardingEnd): Promise<void> {
    const row = await store.find(id)
    const address = row && (await deps.addresses.find(row.addressId, clock()))
    if (address) await endBehind(deps, address, id)
    if (!(await store.end(id, reason, clock()))) return
    deps.metrics.count('forwardings_ended', { end: reason })
    deps.logger.info({ end: reason }, 'forwarding ended')
  }

  return {
    async recordBounce(id) {
      const now = clock()
      if ((await store.recordBounce(id, now, now - bounces.within)) >= bounces.max) await end(id, 'bounced')
    },
    recordComplaint: (id) => end(id, 'complained'),
  }
}
