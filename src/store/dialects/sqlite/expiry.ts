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

/** Removes expired addresses and messages row by row. */
export function createExpiry(db: Pick<Database, 'read' | 'write' | 'batch'>): Expiry {
  const remove = createAddressRemoval(db)
  const { leaveTombstone, bumpInbox, freeBytes, deleteBody, deleteMessage } = createRemoval(db)

  return {
    async addresses(now, limit) {
      const rows: { id: AddressId }[] = await db.read
        .selectFrom('addresses')
        .select('id')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      const removed: AddressId[] = []
      // One may have been removed and created again since.
      for (const { id } of rows) if (await remove(id, now)) removed.push(id)
      return removed
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
            freeBytes(key),
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
