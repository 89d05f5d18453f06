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
  /** Returns the forwardings that apply to a new message of the address. Rejects if the store fails. */
  active(address: RecipientRow): Promise<readonly ForwardingRow[]>
  /**
   * Returns the forwarding jobs to store in the transaction of the message, or undefined if `active` is empty. `body`
   * is the packed body of the message (`packBody`). Rejects if the sealer fails.
   */
  queued(
    active: readonly ForwardingRow[],
    message: Pick<NewMessage, 'addressId' | 'id'>,
    body: Uint8Array,
  ): Promise<MessageForwarding | undefined>
  /** Called when jobs have been stored. */
  wake(): void
}

interface ForwardingQueueDeps {
  store: Pick<ForwardingStore, 'list'>
  sealer: Pick<Sealer, 'seal'>
  /** The public key of the service. The sender of forwarded messages has the private key. */
  publicKey: Uint8Array
  /** Returns a new job id (`messageIds`). */
  newJobId: () => string
  clock: Clock
  destinationLimits: DestinationLimits
  onQueued: () => void
}

const MAX_LOOK_UPS = 200

export function createForwardingQueue({ store, sealer, ...deps }: ForwardingQueueDeps): ForwardingQueue {
  // Concurrent messages to one address share a query.
  const list = grouped<AddressId, ForwardingRow[]>(
    async (ids) => {
      const unique = [...new Set(ids)]
      const lists = new Map(await Promise.all(unique.map(async (id) => [id, await store.list(id)] as const)))
      return ids.map((id) => lists.get(id) ?? [])
    },
    { maxItems: MAX_LOOK_UPS },
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

/** The queue of a service that does not forward. */
export const noForwardingQueue: ForwardingQueue = {
  active: async () => [],
  queued: async () => undefined,
  wake: () => {},
}
