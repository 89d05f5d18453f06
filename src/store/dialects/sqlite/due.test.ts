import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dueIds } from '../../aggregates/due.ts'
import { jobsAfter } from '../../aggregates/forwarding/forwarding-cancel.ts'
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

test.each(['a forwarding', 'a destination'])(
  'reads on in the waiting jobs of %s without sorting them',
  async (which) => {
    const of = which === 'a forwarding' ? { id: 'id', destinationKey: 'key' } : { destinationKey: 'key' }
    const { rows } = await sql<{ detail: string }>`
    explain query plan ${jobsAfter(of, { dueAt: 1, id: 'id' }, 5)}`.execute(db.write)
    expect(rows.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/INDEX forwarding_jobs_waiting \(destination_key=\? AND \(due_at,id\)>\(\?,\?\)\)$/),
      expect.stringContaining('SCALAR SUBQUERY'),
      expect.stringMatching(/mail USING .*\(message_id=\? AND address_id=\?\)$/),
    ])
  },
)
