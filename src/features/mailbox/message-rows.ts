import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { AddressId } from '#core/ids.ts'
import { isMessageId } from '#core/mailbox/message-id.ts'
import type { MessageRow, MessageStore } from '#core/mailbox/message-store.ts'
import type { Marks } from '#core/mailbox/message.ts'
import type { Clock } from '#core/time.ts'
import { inChunks } from '#lib/batches.ts'

/** The stored messages of any inbox, also of one whose messages the server cannot open. Changes are announced. */
interface MessageRows {
  /** Throws `message_not_found`. */
  find(addressId: AddressId, id: string): Promise<MessageRow>
  /** Throws `message_not_found`. */
  mark(addressId: AddressId, id: string, marks: Partial<Marks>): Promise<void>
  /** Changes the marks of many messages. Ids of messages that do not exist are ignored. */
  markAll(addressId: AddressId, ids: readonly string[], marks: Partial<Marks>): Promise<void>
  /** Throws `message_not_found`. */
  remove(addressId: AddressId, id: string): Promise<void>
  /** Deletes several messages. Ids of messages that do not exist are ignored. */
  removeAll(addressId: AddressId, ids: readonly string[]): Promise<void>
}

interface MessageRowsDeps {
  store: MessageStore
  bus: EventBus
  clock: Clock
}

/** Messages that one transaction changes. Other transactions wait for it. */
const AT_ONCE = 50

/** The ids that messages can have, in groups. */
const inTransactions = (ids: readonly string[]): Generator<string[]> => inChunks(ids.filter(isMessageId), AT_ONCE)

export function createMessageRows({ store, bus, clock }: MessageRowsDeps): MessageRows {
  async function find(addressId: AddressId, id: string): Promise<MessageRow> {
    const row = isMessageId(id) ? await store.find(addressId, id, clock()) : undefined
    if (!row) throw new MayflyError('message_not_found')
    return row
  }

  async function removeAll(addressId: AddressId, ids: readonly string[]): Promise<void> {
    try {
      for (const some of inTransactions(ids)) await store.removeAll(addressId, some)
    } finally {
      // If one fails, those before it are gone.
      bus.publish(addressId)
    }
  }

  return {
    find,

    async mark(addressId, id, marks) {
      await find(addressId, id)
      if ((await store.mark(addressId, id, marks)) === undefined) throw new MayflyError('message_not_found')
      bus.publish(addressId)
    },

    async markAll(addressId, ids, marks) {
      let hasChanged = false
      try {
        for (const some of inTransactions(ids)) hasChanged = (await store.markAll(addressId, some, marks)) || hasChanged
      } finally {
        if (hasChanged) bus.publish(addressId)
      }
    },

    async remove(addressId, id) {
      await find(addressId, id)
      await removeAll(addressId, [id])
    },

    removeAll,
  }
}
