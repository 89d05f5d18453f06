import { expressionBuilder } from 'kysely'
import type { AddressId, MessageId } from '#core/ids.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import type { Schema } from '../../schema/schema.ts'
import { createForwardingRemoval } from '../forwarding/forwarding-removal.ts'

/**
 * The metadata entry with the time up to which PostgreSQL has removed expired messages from their inboxes. Their rows stay
 * until their partition is dropped.
 */
export const EXPIRED_UNTIL = 'expired-until'

interface Removed {
  addressId: AddressId
  id: MessageId
}

/**
 * Compiles the statements that remove a message, in their order: a new revision of the inbox, which `bumpInbox`
 * returns, a tombstone with that revision, and the deletion of the rest. They do nothing if the message does not exist.
 */
export function createRemoval(db: Pick<Database, 'write' | 'batch'>) {
  const { write, batch } = db
  const forwarding = createForwardingRemoval(db)
  const { eb: each } = expressionBuilder<Schema, 'metadata' | 'messages'>()
  const swept = write
    .selectFrom('metadata')
    .select('metadata.name')
    .where('metadata.name', '=', EXPIRED_UNTIL)
    .where(each(each.cast<number>('metadata.value', 'bigint'), '>=', each.ref('messages.expires_at')))

  /** Does not free the bytes of a message again whose bytes the sweep has freed. Needs a lock on the inbox. */
  const bumpInbox = prepared<Removed>()((value) =>
    write
      .updateTable('addresses')
      .from('messages')
      .set((eb) => ({
        revision: eb('addresses.revision', '+', 1),
        used_bytes: eb('used_bytes', '-', eb.case().when(eb.exists(swept)).then(0).else(eb.ref('messages.size')).end()),
      }))
      .where('messages.address_id', '=', value('addressId'))
      .where('messages.id', '=', value('id'))
      .whereRef('addresses.id', '=', 'messages.address_id')
      .returning('addresses.revision'),
  )

  /** `until`: when the tombstone expires; null: when the message would have expired. */
  const leaveTombstone = prepared<Removed & { until: number | null }>()((value) =>
    write
      .insertInto('tombstones')
      .columns(['address_id', 'revision', 'message_id', 'expires_at'])
      .expression(({ selectFrom }) =>
        selectFrom('messages')
          .innerJoin('addresses', 'addresses.id', 'messages.address_id')
          .select((eb) => [
            'messages.address_id',
            'addresses.revision',
            'messages.id as message_id',
            eb.fn.coalesce(eb.val(value('until')), 'messages.expires_at').as('expires_at'),
          ])
          .where('messages.address_id', '=', value('addressId'))
          .where('messages.id', '=', value('id')),
      ),
  )

  const deleteBody = prepared<Removed>()((value) =>
    write.deleteFrom('bodies').where('address_id', '=', value('addressId')).where('id', '=', value('id')),
  )

  const deleteMessage = prepared<Removed>()((value) =>
    write.deleteFrom('messages').where('address_id', '=', value('addressId')).where('id', '=', value('id')),
  )

  const deleteCalls = prepared<Removed>()((value) =>
    write
      .deleteFrom('webhook_deliveries')
      .where('address_id', '=', value('addressId'))
      .where('message_id', '=', value('id')),
  )

  /** A message, its forwarding jobs and its queued webhook calls. */
  const ofMessage = (key: Removed) =>
    [
      bumpInbox(key),
      leaveTombstone({ ...key, until: null }),
      deleteBody(key),
      deleteMessage(key),
      deleteCalls(key),
      ...forwarding.ofMessage({ addressId: key.addressId, messageId: key.id }),
    ] as const

  /** Returns the new revision of the inbox, or undefined if the message does not exist. */
  async function remove(key: Removed): Promise<number | undefined> {
    const [{ rows }] = await batch(ofMessage(key), [key.addressId])
    return rows[0]?.revision
  }

  async function removeAll(addressId: AddressId, ids: readonly MessageId[]): Promise<void> {
    if (ids.length > 0)
      await batch(
        ids.flatMap((id) => ofMessage({ addressId, id })),
        [addressId],
      )
  }

  return { leaveTombstone, bumpInbox, deleteBody, deleteMessage, remove, removeAll }
}
