import type { AddressId, MessageId } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { MessageStore } from '#core/mailbox/message-store.ts'
import { createAddressRemoval } from '../../aggregates/mailbox/address-removal.ts'
import { createRemoval } from '../../aggregates/mailbox/removal.ts'
import { EXPIRED_TOMBSTONE } from '../../aggregates/mailbox/tombstones.ts'
import type { Database } from '../../database.ts'

interface Expiry {
  addresses: AddressStore['removeExpired']
  messages: MessageStore['removeExpired']
}

interface Ended {
  id: AddressId
  messages: number
}

/** Divides addresses into groups that have up to `limit` rows with their messages, or one address. */
function* together(addresses: readonly Ended[], limit: number): Generator<Ended[]> {
  let group: Ended[] = []
  let rows = 0
  for (const address of addresses) {
    if (group.length > 0 && rows + 1 + address.messages > limit) {
      yield group
      group = []
      rows = 0
    }
    group.push(address)
    rows += 1 + address.messages
  }
  if (group.length > 0) yield group
}

/** Removes expired addresses and messages row by row. */
export function createExpiry(db: Pick<Database, 'read' | 'write' | 'batch'>): Expiry {
  const remove = createAddressRemoval(db)
  const { leaveTombstone, bumpInbox, deleteBody, deleteMessage } = createRemoval(db)

  return {
    async addresses(now, limit) {
      const rows: Ended[] = await db.read
        .selectFrom('addresses')
        .select(({ selectFrom }) => [
          'id',
          selectFrom('messages')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('messages.address_id', '=', 'addresses.id')
            .$asScalar()
            .$notNull()
            .as('messages'),
        ])
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      const ids: AddressId[] = []
      // Removals that start together share a commit.
      for (const group of together(rows, limit)) {
        const removed = await Promise.all(group.map(({ id }) => remove(id, now)))
        // One may have been removed and created again since.
        ids.push(...group.flatMap(({ id }, i) => (removed[i] ? [id] : [])))
      }
      return ids
    },

    async messages(now, limit) {
      const expired: { addressId: AddressId; id: MessageId }[] = await db.read
        .selectFrom('messages')
        .select(['address_id as addressId', 'id'])
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      const until = now + EXPIRED_TOMBSTONE
      if (expired.length > 0) {
        await db.batch(
          expired.flatMap((key) => [
            bumpInbox(key),
            leaveTombstone({ ...key, until }),
            deleteBody(key),
            deleteMessage(key),
          ]),
        )
      }
      return { addressIds: [...new Set(expired.map(({ addressId }) => addressId))], removed: expired.length }
    },
  }
}
