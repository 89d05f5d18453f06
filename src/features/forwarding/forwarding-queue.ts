import { activeOf, type DestinationLimits } from '#core/forwarding/forwarding-rules.ts'
import type { ForwardingRow, ForwardingStore, MessageForwarding } from '#core/forwarding/forwarding.ts'
import type { AddressId } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import type { Sealer } from '#core/mailbox/mail-reader.ts'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import type { Clock } from '#core/time.ts'
import { grouped } from '#lib/group-commit.ts'
import { messagePlace } from '#mail/sealing/place.ts'

export interface ForwardingQueue {
  /** Where a message to the address goes on to. Rejects where the store fails. */
  active(address: RecipientRow): Promise<readonly ForwardingRow[]>
  /**
   * What a message takes along into its transaction; undefined where it goes on to nobody. `body` is that of the message
   * (`packBody`). Rejects where the sealer fails.
   */
  queued(
    active: readonly ForwardingRow[],
    message: Pick<NewMessage, 'addressId' | 'id'>,
    body: Uint8Array,
  ): Promise<MessageForwarding | undefined>
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
  destinationLimits: DestinationLimits
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
    async active(address) {
      return address.forwards ? activeOf(await list(address.id), address, deps.destinationLimits, deps.clock()) : []
    },
    async queued(active, message, body) {
      if (active.length === 0) return undefined
      const place = messagePlace('forwarding', message)
      const [sealedMail] = await sealer.seal([{ publicKey: deps.publicKey, place, plaintext: body }])
      if (!sealedMail) return undefined
      const jobs = active.map(({ id, destinationKey }) => ({ id: deps.newJobId(), forwardingId: id, destinationKey }))
      return { sealedMail, jobs }
    },
    wake: deps.onQueued,
  }
}

/** Where this service does not forward: nothing is queued. */
export const noForwardingQueue: ForwardingQueue = {
  active: async () => [],
  queued: async () => undefined,
  wake: () => {},
}
