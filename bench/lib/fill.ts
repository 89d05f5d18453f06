import { Client } from 'pg'
import { HOUR, DAY } from '../../src/core/time.ts'
import { partitionName } from '../../src/store/dialects/postgres/partitions.ts'

interface Filling {
  /** URL of the database. */
  url: string
  addresses: number
  messages: number
  /** Share of the addresses that are alive. */
  alive: number
  /** The range of expiry times in milliseconds since the epoch. They are distributed evenly. */
  endFrom: number
  endTo: number
  /** Bytes of a sealed body. */
  bodyBytes: number
}

/** Average bytes of a sealed summary. */
const SUMMARY_BYTES = 608

/** Returns SQL for the id of the n-th address: 22 characters in random order. */
export const idOf = (n: string): string =>
  `left(translate(encode(sha256(('fill ' || (${n}))::bytea), 'base64'), '+/', '-_'), 22)`

/** Fills the tables of a database that a node has created, like many nodes would in a day. */
export async function fill({ url, addresses, messages, alive, endFrom, endTo, bodyBytes }: Filling): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const now = Date.now()
  const expiresAt = `case when n % 1000 < ${alive * 1000} then ${now + DAY} else ${now - HOUR} end`
  await client.query(`set synchronous_commit = off`)
  await client.query(`insert into addresses (id, name_key, public_key, sealed_name, lifetime, created_at, expires_at, used_bytes, revision)
    select ${idOf('n')}, ${idOf('n')}, sha256(n::text::bytea), sha256(n::text::bytea) || sha256('x'), 'day', ${now - DAY}, ${expiresAt}, 1000000, 10
      from generate_series(1, ${addresses}) as n`)
  await client.query(`insert into names (name_key, address_id, held_until)
    select ${idOf('n')}, ${idOf('n')}, ${now + 30 * DAY} from generate_series(1, ${addresses}) as n`)
  for (let dropAt = Math.ceil(endFrom / HOUR) * HOUR; dropAt - HOUR < endTo; dropAt += HOUR) {
    for (const table of ['messages', 'bodies']) {
      const name = partitionName(table, dropAt)
      await client.query(
        `create table if not exists ${name} partition of ${table} for values from (${dropAt}) to (${dropAt + HOUR})`,
      )
    }
  }
  const end = `(${endFrom} + (n * ${(endTo - endFrom) / messages})::bigint)`
  const rows = `select ${idOf(`1 + (n * 7919::bigint) % ${addresses}`)} as address_id, '01' || lpad(n::text, 24, '0') as id,
    ceil(${end} / ${HOUR}.0)::bigint * ${HOUR} as drop_at, ${end} as expires_at, n from generate_series(1, ${messages}) as n`
  const bytes = (count: number): string => `decode(repeat(md5(n::text), ${Math.round(count / 16)}), 'hex')`
  await client.query(`insert into messages (address_id, id, drop_at, revision, received_at, expires_at, size, seen, sealed_summary)
    select address_id, id, drop_at, n % 10, expires_at - ${DAY}, expires_at, 4000, 0, ${bytes(SUMMARY_BYTES)} from (${rows}) as given`)
  await client.query(`insert into bodies (address_id, id, drop_at, sealed_body)
    select address_id, id, drop_at, ${bytes(bodyBytes)} from (${rows}) as given`)
  await client.query('vacuum analyze')
  await client.end()
}
