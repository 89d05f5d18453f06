import { type CompiledQuery, expressionBuilder } from 'kysely'
import type { AddressId } from '#core/ids.ts'
import type { Database, Result } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import type { Schema } from '../../schema/schema.ts'
import { FORWARDING_TABLES } from '../forwarding/forwarding-removal.ts'
import { type Expected, isExpected } from './address-secret.ts'
import { oldestOf } from './steps.ts'

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

/** Removes an address and everything that belongs to it, row by row. */
export function createAddressRemoval(db: Pick<Database, 'write' | 'batch'>) {
  const { write } = db

  /** Makes the address unreadable. After a crash, the next sweep finds the rest. */
  const close = prepared<{ id: AddressId; until: number } & Expected>()((value) =>
    write
      .updateTable('addresses')
      .set({ expires_at: 0 })
      .where('id', '=', value('id'))
      .where('expires_at', '<=', value('until'))
      .where(isExpected(value)),
  )

  /** Whether the address is closed. Another removal may have finished, and the address may have been created again. */
  const isClosed = (id: AddressId) => {
    const { exists, selectFrom } = expressionBuilder<Schema>()
    return exists(selectFrom('addresses').select('addresses.id').where('id', '=', id).where('expires_at', '=', 0))
  }

  const deleteBodies = prepared<{ id: AddressId }>()((value) =>
    write
      .deleteFrom('bodies')
      .where('address_id', '=', value('id'))
      .where('id', 'in', oldestOf('messages', value('id')))
      .where(isClosed(value('id'))),
  )

  const deleteMessages = prepared<{ id: AddressId }>()((value) =>
    write
      .deleteFrom('messages')
      .where('address_id', '=', value('id'))
      .where('id', 'in', oldestOf('messages', value('id')))
      .where(isClosed(value('id'))),
  )

  const deleteMails = prepared<{ id: AddressId }>()((value) =>
    write
      .deleteFrom('forwarding_mails')
      .where('address_id', '=', value('id'))
      .where('message_id', 'in', oldestOf('forwarding_mails', value('id')))
      .where(isClosed(value('id'))),
  )

  const deleteRows = ADDRESS_TABLES.map((table) =>
    prepared<{ id: AddressId }>()((value) =>
      write
        .deleteFrom(table)
        .where('address_id', '=', value('id'))
        .where(isClosed(value('id'))),
    ),
  )

  const deleteEmptied = prepared<{ id: AddressId }>()((value) =>
    write
      .deleteFrom('addresses')
      .where('id', '=', value('id'))
      .where('expires_at', '=', 0)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('messages').select('id').where('address_id', '=', value('id')))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('forwarding_mails').select('message_id').where('address_id', '=', value('id')))),
      ),
  )

  /**
   * Removes the address if it expires at `until` or earlier and is as expected, in as many transactions as necessary. Runs `first` in the
   * first one. Returns whether there was such an address.
   */
  return async function remove(
    id: AddressId,
    until: number,
    first: readonly CompiledQuery<unknown>[] = [],
    expected: Expected = { secretId: null, keySubscriptionId: null },
  ): Promise<boolean> {
    const closing = [...first, close({ id, until, ...expected })]
    let before = closing
    let wasThere = false
    for (;;) {
      const statements = [
        deleteBodies({ id }),
        deleteMessages({ id }),
        deleteMails({ id }),
        ...deleteRows.map((statement) => statement({ id })),
        deleteEmptied({ id }),
      ]
      const results: readonly Result<unknown>[] = await db.batch([...before, ...statements], [id])
      if (before === closing) wasThere = (results[first.length]?.affected ?? 0) > 0
      const [, messages, mails] = results.slice(before.length)
      const isEmptied = (results.at(-1)?.affected ?? 0) > 0
      if (isEmptied || (messages?.affected ?? 0) + (mails?.affected ?? 0) === 0) return wasThere
      before = []
    }
  }
}
