import { randomBytes } from 'node:crypto'
import { type Expression, expressionBuilder, type InsertObject, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { SubscriptionId } from '#core/ids.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import type { Schema } from '../../schema/schema.ts'

/** A transaction that has written, and so locked, the row of a subscription. */
export interface Writing {
  id: SubscriptionId
  /** The name of the transaction. */
  transaction: string
}

/** Returns a new name for a transaction. */
export const newTransactionName = (): string => randomBytes(16).toString('base64url')

/**
 * A transaction that depends on the state of a subscription writes the subscription's row first. From then on, no other
 * such transaction interferes. Its name in the row tells its later statements that the row exists and is locked.
 */
export function createSubscriptionRow({ write }: Pick<Database, 'write'>) {
  const touch = prepared<Writing>()((value) =>
    write
      .updateTable('subscriptions')
      .set({ changed_by: value('transaction') })
      .where('id', '=', value('id')),
  )

  const row = ({ id, transaction }: Writing) =>
    write.selectFrom('subscriptions').where('id', '=', id).where('changed_by', '=', transaction)

  /** Whether the transaction holds the row. */
  const isHeld = (writing: Writing): Expression<SqlBool> =>
    expressionBuilder<Schema>().exists(row(writing).select('subscriptions.id'))

  /** Inserts a row into another table if the transaction holds the subscription's row and all `conditions` are met. */
  function insertInto<Table extends keyof Schema>(
    table: Table,
    values: InsertObject<Schema, Table>,
    writing: Writing,
    ...conditions: Expression<SqlBool>[]
  ) {
    const columns = Object.entries(values)
    return write
      .insertInto(table)
      .columns(columns.map(([name]) => name) as never[])
      .expression((eb) => {
        const selected = row(writing).select(columns.map(([name, value]) => eb.val(value as unknown).as(name)))
        return conditions.reduce((query, condition) => query.where(condition), selected)
      })
  }

  /** Whether the query returns fewer than `max` rows. */
  const isBelow = (max: number, query: SelectQueryBuilder<Schema, keyof Schema, object>): Expression<SqlBool> =>
    expressionBuilder<Schema>()(
      query.select(({ fn }) => fn.countAll<number>().as('count')),
      '<',
      max,
    )

  return { touch, isHeld, isBelow, insertInto }
}
