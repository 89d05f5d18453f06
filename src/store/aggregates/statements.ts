import type { Compilable, CompiledQuery, SelectQueryBuilder } from 'kysely'
import type { AddressId } from '#core/ids.ts'
import type { Database } from '../database.ts'
import type { Schema } from '../schema/schema.ts'

/** Runs a statement in a transaction, like `Database.batch`, and returns how many rows it wrote. */
export async function written(
  { batch }: Pick<Database, 'batch'>,
  statement: Compilable<unknown> | CompiledQuery<unknown>,
  inboxes?: readonly AddressId[],
): Promise<number> {
  const [{ affected }] = await batch(['compile' in statement ? statement.compile() : statement], inboxes)
  return affected
}

/** Runs a statement like `written`, and returns whether it wrote a row. */
export const hasWritten = async (...args: Parameters<typeof written>): Promise<boolean> => (await written(...args)) > 0

/** Returns how many rows a query has. */
export async function rowCount<Table extends keyof Schema>(
  query: SelectQueryBuilder<Schema, Table, object>,
): Promise<number> {
  const { count } = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}
