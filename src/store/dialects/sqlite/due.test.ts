import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dueIds } from '../../aggregates/due.ts'
import type { Database } from '../../database.ts'
import { openIn, temporaryDirectory } from './fixtures.ts'

let directory: string
let db: Database
beforeAll(async () => {
  directory = await temporaryDirectory()
  db = await openIn(directory)
})
afterAll(async () => {
  await db.close()
  await rm(directory, { recursive: true })
})

test.each(['webhook_deliveries', 'push_subscriptions'] as const)(
  'finds due calls of %s host by host, whatever waits for one of them',
  async (table) => {
    const { rows } = await sql<{ detail: string }>`
      explain query plan select * from ${sql.table(table)}
       where id in ${dueIds(db, table, 1, { limit: 5, except: ['busy'] })}`.execute(db.write)
    const reads = rows.map(({ detail }) => detail).filter((detail) => !detail.includes('json_each'))
    expect(reads.filter((detail) => detail.includes(`INDEX ${table}_host (host_key`)).length).toBeGreaterThan(1)
    // The rest reads the rows of the ids that were found.
    const others = reads.filter((detail) => detail.includes(' INDEX ') && !detail.includes(` INDEX ${table}_host`))
    expect(others.filter((detail) => !detail.endsWith('(id=?)'))).toEqual([])
  },
)
