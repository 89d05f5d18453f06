import { type DestinationLimits, waitingBehind } from '#core/forwarding/forwarding-rules.ts'
import type { ForwardingId, ForwardingStore } from '#core/forwarding/forwarding.ts'
import type { AddressRow } from '#core/mailbox/address.ts'
import type { Clock } from '#core/time.ts'

interface StopDeps {
  store: Pick<ForwardingStore, 'list' | 'end'>
  clock: Clock
  destinationLimits: DestinationLimits
}

/**
 * Ends the forwardings that would get the place of `id`. Call it before `id` is ended early. The list shows those
 * forwardings as expired, and stopping one must not start another.
 */
export async function endBehind(
  { store, clock, destinationLimits }: StopDeps,
  address: Pick<AddressRow, 'id' | 'lifetime'>,
  id: ForwardingId,
): Promise<void> {
  const now = clock()
  for (const row of waitingBehind(id, await store.list(address.id), address, destinationLimits, now))
    await store.end(row.id, 'expired', now)
}
