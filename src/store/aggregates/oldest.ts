import { type CompiledQuery, sql, type SqlBool } from 'kysely'
import type { Database } from '../database.ts'
import type { Schema } from '../schema/schema.ts'

interface Oldest<Table extends keyof Schema> {
  /** The columns of the primary key. */
  key: readonly (keyof Schema[Table] & string)[]
  where: readonly [time: keyof Schema[Table] & string, is: '<' | '<=', at: number]
  limit: number
}

/** Deletes up to `limit` rows for which a condition on their time holds, the oldest first. */
export function deleteOldest<Table extends keyof Schema>(
  { write }: Pick<Database, 'write'>,
  table: Table,
  { key, where: [time, is, at], limit }: Oldest<Table>,
): CompiledQuery<unknown> {
  const listOf = (names: readonly string[]) => sql.join(names.map((each) => sql.ref(each)))
  const condition = (column: string) => sql<SqlBool>`${sql.ref(column)} ${sql.raw(is)} ${at}`
  const oldest = sql`(
    select ${listOf(key.map((each) => `old.${each}`))} from ${sql.table(table)} as old
     where ${condition(`old.${time}`)} order by ${sql.ref(`old.${time}`)} limit ${limit})`
  // Built, not raw, because the SQLite dialect recognizes deletions by the kind of the query.
  return (
    write
      // Kysely has no type for a deletion from a table that is a type parameter.
      .deleteFrom(table as 'names')
      .where(sql<SqlBool>`(${listOf(key)}) in ${oldest}`)
      // A row may have changed since the subquery read it.
      .where(condition(time))
      .compile()
  )
}
