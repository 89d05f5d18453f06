import type { ForwardingRow, ForwardingStore, MessageForwarding } from '#core/forwarding.ts'
import { activeOf, type ForwardingPlaces } from '#core/forwarding-rules.ts'
import type { AddressId, Clock, RecipientRow, Sealer } from '#core/ports.ts'
import { grouped } from './group.ts'

export interface ForwardingQueue {
  /**
   * What a message to the address takes along into its transaction; undefined where it goes on to nobody. `body` is that of the
   * message (`packBody`). Rejects where the store or the sealer fails.
   */
  of(address: RecipientRow, body: Uint8Array): Promise<MessageForwarding | undefined>
  /** What was taken along is in the store. */
  wake(): void
}

export interface ForwardingQueueDeps {
  store: Pick<ForwardingStore, 'list'>
  sealer: Pick<Sealer, 'seal'>
  /** Whoever sends it has the other half. */
  publicKey: Uint8Array
  /** Ids of jobs (`messageIds`). */
  newJobId: () => string
  clock: Clock
  places: ForwardingPlaces
  onQueued: () => void
}

const LOOK_UPS_TOGETHER = 200

export function createForwardingQueue({ store, sealer, ...deps }: ForwardingQueueDeps): ForwardingQueue {
  // A thousand mails to one address ask a few times.
  const list = grouped<AddressId, ForwardingRow[]>(
    async (ids) => {
      const unique = [...new Set(ids)]
      const lists = new Map(await Promise.all(unique.map(async (id) => [id, await store.list(id)] as const)))
      return ids.map((id) => lists.get(id) ?? [])
    },
    { maxItems: LOOK_UPS_TOGETHER },
  )

  return {
    async of(address, body) {
      if (!address.forwards) return undefined
      const active = activeOf(await list(address.id), address, deps.places, deps.clock())
      if (active.length === 0) return undefined
      const [sealedMail] = await sealer.seal([{ publicKey: deps.publicKey, plaintext: body }])
      if (!sealedMail) return undefined
      const jobs = active.map(({ id, destinationKey }) => ({ id: deps.newJobId(), forwardingId: id, destinationKey }))
      return { sealedMail, jobs }
    },
    wake: deps.onQueued,
  }
}

/** Where this service does not forward: nothing is queued. */
export const noForwardingQueue: ForwardingQueue = { of: async () => undefined, wake: () => {} }
