import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, inject, test, vi } from 'vitest'
import { HOUR } from '#core/time.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { newDatabase } from '#test/support/program/postgres.ts'
import { migrationsContract } from '../../suite/migrate.suite.ts'
import { dropAt } from './hours.ts'
import { openPostgres } from './open.ts'
import { databaseForNodes, defaults } from './testing.ts'

migrationsContract('PostgreSQL', async () => {
  const { url, drop } = await newDatabase(inject('postgres'))
  return {
    open: (until) => openPostgres({ ...defaults, url, until }),
    async insertMessage({ write }, message) {
      const { addressId, id, receivedAt, expiresAt, size, sealedBody } = message
      const at = dropAt(message)
      for (const table of ['messages', 'bodies']) {
        await sql`
          create table ${sql.ref(`${table}_old`)} partition of ${sql.ref(table)}
          for values from (${sql.lit(at)}) to (${sql.lit(at + HOUR)})`.execute(write)
      }
      await sql`
        insert into messages (address_id, id, drop_at, revision, received_at, expires_at, size, seen)
        values (${addressId}, ${id}, ${at}, 1, ${receivedAt}, ${expiresAt}, ${size}, 0)`.execute(write)
      await sql`
        insert into bodies (address_id, id, drop_at, sealed_body)
        values (${addressId}, ${id}, ${at}, ${sealedBody})`.execute(write)
    },
    drop,
  }
})

test('waits for a backup without blocking the nodes that run', async () => {
  const here = await databaseForNodes()
  const { database } = await here.node({ until: '001-addresses-and-messages', statementTimeout: 2500 })
  const backup = new Client({ connectionString: here.url })
  await backup.connect()
  await backup.query('begin; select from addresses, messages limit 1')

  const onTrouble = vi.fn()
  let isOpen = false
  const opening = here.node({ onTrouble }).then(() => (isOpen = true))
  opening.catch(() => {})
  // For two tries.
  for (const end = performance.now() + 4000; performance.now() < end; await pause(50))
    await sql`select from addresses limit 1`.execute(database.read)
  expect(isOpen).toBe(false)
  expect(onTrouble.mock.calls).toEqual([[expect.stringContaining('Migrations wait'), expect.anything()]])

  await backup.end()
  await opening
  await here.drop()
})

/** Opens a session that holds a lock on a table. */
async function locking(url: string, table: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`begin; lock table ${table} in row exclusive mode`)
  return client
}

test('keeps what each migration has locked no longer than that migration', async () => {
  const here = await databaseForNodes()
  const { database } = await here.node({ until: '016-announced-messages', statementTimeout: PATIENCE })
  // 019 builds an index on names. 017 has added a column to addresses before.
  const writer = await locking(here.url, 'names')
  const opening = here.node({ onTrouble() {} })
  opening.catch(() => {})
  const done = async () =>
    (await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(database.read)).rows[0]!.name
  await vi.waitFor(async () => expect(await done()).toBe('018-calls-by-host'), { timeout: PATIENCE })
  // Another node with the same version continues the series.
  const rival = here.node({ onTrouble() {} })
  rival.catch(() => {})
  await database.close()
  const other = new Client({ connectionString: here.url })
  await other.connect()
  await other.query('set lock_timeout = 500')
  for (const end = performance.now() + 4000; performance.now() < end; await pause(50))
    await other.query('select from addresses limit 1')
  await other.end()

  await writer.end()
  for (const each of await Promise.all([opening, rival])) await each.store.check()
  await here.drop()
})

test('tries again if a migration is the victim of a deadlock', async () => {
  const here = await databaseForNodes()
  const { database } = await here.node({ until: '017-own-domains-of-addresses' })
  // 018 builds an index on webhook_deliveries, then one on push_subscriptions.
  const writer = await locking(here.url, 'push_subscriptions')
  await writer.query(`set deadlock_timeout = '${PATIENCE} ms'`)
  const onTrouble = vi.fn()
  const opening = here.node({ onTrouble })
  opening.catch(() => {})
  const waits = sql`select from pg_locks where relation = 'push_subscriptions'::regclass and not granted`
  await vi.waitFor(async () => expect((await waits.execute(database.read)).rows).toHaveLength(1), {
    timeout: PATIENCE,
    interval: 10,
  })
  await writer.query('lock table webhook_deliveries in row exclusive mode')
  await writer.end()
  await (await opening).store.check()
  expect(onTrouble).toHaveBeenCalledOnce()
  await here.drop()
})
