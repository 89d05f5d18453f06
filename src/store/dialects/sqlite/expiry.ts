import { sql } from 'kysely'
import type { AddressId, MessageId } from '#core/ids.ts'
import type { AddressStore } from '#core/mailbox/address.ts'
import type { MessageStore } from '#core/mailbox/message-store.ts'
import { createAddressRemoval } from '../../aggregates/mailbox/address-removal.ts'
import { createRemoval } from '../../aggregates/mailbox/removal.ts'
import { inSteps, STEP_BYTES } from '../../aggregates/mailbox/steps.ts'
import { EXPIRED_TOMBSTONE } from '../../aggregates/mailbox/tombstones.ts'
import type { Database } from '../../database.ts'
import { createStuck } from './stuck.ts'

interface Expiry {
  addresses: AddressStore['removeExpired']
  messages: MessageStore['removeExpired']
}

interface Ended {
  id: AddressId
  messages: number
  bytes: number
}

interface Expired {
  addressId: AddressId
  id: MessageId
  bytes: number
}

/** Removes expired addresses and messages row by row. A step is one commit or a few, or all commits of one large address. */
export function createExpiry(db: Pick<Database, 'read' | 'write' | 'batch'>): Expiry {
  const removeAddress = createAddressRemoval(db)
  const { leaveTombstone, bumpInbox, deleteBody, deleteMessage } = createRemoval(db)
  const addresses = createStuck<Ended>(({ id }) => id)
  const messages = createStuck<Expired>(({ id }) => id)

  const ended = (now: number, limit: number): Promise<Ended[]> =>
    db.read
      .selectFrom('addresses')
      .select(({ selectFrom }) => [
        'id',
        selectFrom('messages')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('messages.address_id', '=', 'addresses.id')
          .$asScalar()
          .$notNull()
          .as('messages'),
        selectFrom('forwarding_mails')
          .select(sql<number>`addresses.used_bytes + coalesce(sum(length(sealed_mail)), 0)`.as('bytes'))
          .whereRef('forwarding_mails.address_id', '=', 'addresses.id')
          .$asScalar()
          .$notNull()
          .as('bytes'),
      ])
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .execute()

  const expired = (now: number, limit: number): Promise<Expired[]> =>
    db.read
      .selectFrom('messages')
      .select(['address_id as addressId', 'id', 'size as bytes'])
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(limit)
      .execute()

  /** Removals that start together share a commit. An address may have been removed and created again since. */
  const removeAddresses = (group: Ended[], now: number): Promise<Ended[]> =>
    addresses.removeEach(group, ({ id }) => removeAddress(id, now))

  async function removeMessages(group: Expired[], until: number): Promise<Expired[]> {
    const statements = ({ addressId, id }: Expired) => [
      bumpInbox({ addressId, id }),
      leaveTombstone({ addressId, id, until }),
      deleteBody({ addressId, id }),
      deleteMessage({ addressId, id }),
    ]
    try {
      await db.batch(group.flatMap(statements))
      return group
    } catch {
      return messages.removeEach(group, (row) => db.batch(statements(row)).then(() => true))
    }
  }

  return {
    async addresses(now, limit) {
      const removed = await removeStep({
        find: () => addresses.without(limit, (most) => ended(now, most)),
        groups: (rows) => inSteps(rows, limit, (row) => ({ rows: 1 + row.messages, bytes: row.bytes })),
        remove: (group) => removeAddresses(group, now),
      })
      return removed.map(({ id }) => id)
    },

    async messages(now, limit) {
      const removed = await removeStep({
        find: () => messages.without(limit, (most) => expired(now, most)),
        groups: (rows) => inSteps(rows, limit, ({ bytes }) => ({ rows: 1, bytes })),
        remove: (group) => removeMessages(group, now + EXPIRED_TOMBSTONE),
      })
      return { addressIds: [...new Set(removed.map(({ addressId }) => addressId))], removed: removed.length }
    },
  }
}

/** Removes groups of the rows that `find` returns, until something large is removed. Returns what was removed. */
async function removeStep<Row extends { bytes: number }>(step: {
  find: () => Promise<Row[]>
  groups: (rows: Row[]) => Iterable<Row[]>
  remove: (group: Row[]) => Promise<Row[]>
}): Promise<Row[]> {
  const removed: Row[] = []
  while (removed.length === 0) {
    const rows = await step.find()
    if (rows.length === 0) break
    let bytes = 0
    for (const group of step.groups(rows)) {
      removed.push(...(await step.remove(group)))
      bytes += group.reduce((sum, row) => sum + row.bytes, 0)
      if (removed.length > 0 && bytes > STEP_BYTES / 2) break
    }
  }
  return removed
}
