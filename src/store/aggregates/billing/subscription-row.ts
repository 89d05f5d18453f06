import { randomBytes } from 'node:crypto'
import { type Expression, expressionBuilder, type InsertObject, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { SubscriptionId } from '#core/ids.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import type { Schema } from '../../schema/schema.ts'

/** A transaction that has written the row of a subscription. */
export interface Writing {
  id: SubscriptionId
  token: string
}

/** Names a transaction. */
export const newToken = (): string => randomBytes(16).toString('base64url')

/**
 * A transaction that depends on what a subscription has writes the subscription's row first: from then on nobody else's
 * comes between. Its token in the row tells its later statements that it did, and that the subscription is there.
 */
export function createSubscriptionRow({ write }: Pick<Database, 'write'>) {
  const touch = prepared<Writing>()((value) =>
    write
      .updateTable('subscriptions')
      .set({ changed_by: value('token') })
      .where('id', '=', value('id')),
  )

  const row = ({ id, token }: Writing) =>
    write.selectFrom('subscriptions').where('id', '=', id).where('changed_by', '=', token)

  /** Whether the transaction has the row. */
  const isHeld = (writing: Writing): Expression<SqlBool> =>
    expressionBuilder<Schema>().exists(row(writing).select('subscriptions.id'))

  /** Inserts a row of another table where the transaction has the subscription's and all of `conditions` are met. */
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

  /** Whether the query answers less than `max` rows. */
  const isBelow = (max: number, query: SelectQueryBuilder<Schema, keyof Schema, object>): Expression<SqlBool> =>
    expressionBuilder<Schema>()(
      query.select(({ fn }) => fn.countAll<number>().as('count')),
      '<',
      max,
    )

  return { touch, isHeld, isBelow, insertInto }
}
