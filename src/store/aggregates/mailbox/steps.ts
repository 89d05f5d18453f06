import { type RawBuilder, sql } from 'kysely'
import type { AddressId } from '#core/ids.ts'

/**
 * How many bytes of messages one transaction removes, with the message that exceeds them. SQLite overwrites what it
 * deletes, so its log grows by as much, and other writes wait meanwhile.
 */
export const STEP_BYTES = 8 * 1024 * 1024

/** Divides items into groups of up to `maxRows` rows and STEP_BYTES, or of one item. */
export function* inSteps<Item>(
  items: readonly Item[],
  maxRows: number,
  weigh: (item: Item) => { rows: number; bytes: number },
): Generator<Item[]> {
  let group: Item[] = []
  let [rows, bytes] = [0, 0]
  for (const item of items) {
    const weight = weigh(item)
    if (group.length > 0 && (rows + weight.rows > maxRows || bytes + weight.bytes > STEP_BYTES)) {
      yield group
      group = []
      ;[rows, bytes] = [0, 0]
    }
    group.push(item)
    rows += weight.rows
    bytes += weight.bytes
  }
  if (group.length > 0) yield group
}

/** How many messages, and how many waiting sealed messages, one transaction removes at most. */
export const STEP_ROWS = 200

/** Where messages of an address are removed in steps: the columns with the id and the size. */
const SOURCES = { messages: ['id', 'size'], forwarding_mails: ['message_id', 'length(sealed_mail)'] } as const

/** Selects the ids of the oldest messages of an address that one step removes, within STEP_ROWS and STEP_BYTES. */
export function oldestOf(table: keyof typeof SOURCES, addressId: AddressId): RawBuilder<string> {
  const [id, size] = SOURCES[table].map((column) => sql.raw(column))
  return sql<string>`(
    select id from (
      select id, sum(bytes) over (order by id rows between unbounded preceding and 1 preceding) as earlier from (
        select ${id} as id, ${size} as bytes from ${sql.table(table)} where address_id = ${addressId}
         order by ${id} limit ${sql.lit(STEP_ROWS)}) as oldest
      ) as step
     where coalesce(earlier, 0) < ${sql.lit(STEP_BYTES)})`
}
