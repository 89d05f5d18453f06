import { type CompiledQuery, sql } from 'kysely'
import type { AddressId } from '#core/ids.ts'
import type { Database, Result } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { createForwardingRemoval, FORWARDING_TABLES } from '../forwarding/forwarding-removal.ts'

/** How many messages, and how many waiting sealed messages, one transaction removes with their address. */
const STEP = 200

/**
 * The tables with at most a few thousand small rows of an address, which are removed with it, in the order in which all
 * statements write.
 */
export const ADDRESS_TABLES = [
  'tombstones',
  'deliveries',
  'push_subscriptions',
  'webhook_deliveries',
  ...FORWARDING_TABLES,
] as const

/** Creates the statements that remove an address and everything that belongs to it, row by row. */
export function createAddressRemoval(db: Pick<Database, 'write' | 'batch'>) {
  const { write } = db
  const forwarding = createForwardingRemoval(db)

  /** Makes the address unreadable. After a crash, the next sweep finds the rest. */
  const close = prepared<{ id: AddressId }>()((value) =>
    write.updateTable('addresses').set({ expires_at: 0 }).where('id', '=', value('id')),
  )

  const deleteBodies = prepared<{ id: AddressId }>()((value) =>
    write
      .deleteFrom('bodies')
      .where('address_id', '=', value('id'))
      .where('id', 'in', (eb) =>
        eb.selectFrom('messages').select('id').where('address_id', '=', value('id')).orderBy('id').limit(sql.lit(STEP)),
      ),
  )

  const deleteMessages = prepared<{ id: AddressId }>()((value) =>
    write
      .deleteFrom('messages')
      .where('address_id', '=', value('id'))
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('messages as oldest')
          .select('oldest.id')
          .where('oldest.address_id', '=', value('id'))
          .orderBy('oldest.id')
          .limit(sql.lit(STEP)),
      ),
  )

  const deleteRows = ADDRESS_TABLES.map((table) =>
    prepared<{ id: AddressId }>()((value) => write.deleteFrom(table).where('address_id', '=', value('id'))),
  )

  const deleteEmptied = prepared<{ id: AddressId }>()((value) =>
    write
      .deleteFrom('addresses')
      .where('id', '=', value('id'))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('messages').select('id').where('address_id', '=', value('id')))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('forwarding_mails').select('message_id').where('address_id', '=', value('id')))),
      ),
  )

  /** Runs `first` and removes the address, in as many transactions as necessary. Returns the results of `first`. */
  async function remove(
    id: AddressId,
    first: readonly CompiledQuery<unknown>[] = [],
  ): Promise<readonly Result<unknown>[]> {
    let before = first
    let answer: readonly Result<unknown>[] | undefined
    for (;;) {
      const statements = [
        deleteBodies({ id }),
        deleteMessages({ id }),
        forwarding.deleteMails({ id, step: STEP }),
        ...deleteRows.map((statement) => statement({ id })),
        deleteEmptied({ id }),
      ]
      const results: readonly Result<unknown>[] = await db.batch([...before, ...statements], [id])
      answer ??= results.slice(0, first.length)
      const [, messages, mails] = results.slice(before.length)
      if (Math.max(messages?.affected ?? 0, mails?.affected ?? 0) < STEP) return answer
      before = []
    }
  }

  return { close, remove }
}
