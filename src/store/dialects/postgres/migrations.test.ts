import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, inject, test, vi } from 'vitest'
import { HOUR } from '#core/time.ts'
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
