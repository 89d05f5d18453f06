import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrationsContract } from '../../suite/migrate.suite.ts'
import { openIn, removeDatabase, temporaryDirectory } from './fixtures.ts'

migrationsContract('SQLite', async () => {
  const directory = await temporaryDirectory()
  return {
    open: (until) => openIn(directory, { until }),
    async insertMessage({ write }, { addressId, id, receivedAt, expiresAt, size, sealedBody }) {
      await sql`
        insert into messages (address_id, id, revision, received_at, expires_at, size, seen)
        values (${addressId}, ${id}, 1, ${receivedAt}, ${expiresAt}, ${size}, 0)`.execute(write)
      await sql`insert into bodies (address_id, id, sealed_body) values (${addressId}, ${id}, ${sealedBody})`.execute(
        write,
      )
    },
    drop: () => rm(directory, { recursive: true }),
  }
})

test('inboxes of earlier versions remember the last id that they know of', async () => {
  const directory = await temporaryDirectory()
  const old = await openIn(directory, { until: '021-payment-events-by-time' })
  const insert = async (id: string, messages: string[], deleted: string[]) => {
    await sql`
      insert into addresses
        (id, name_key, public_key, sealed_name, lifetime, created_at, expires_at, used_bytes, revision)
      values (${id}, ${id}, x'00', x'00', 'day', 0, 9, 0, 0)`.execute(old.write)
    for (const message of messages)
      await sql`
        insert into messages (address_id, id, revision, received_at, expires_at, size, seen)
        values (${id}, ${message}, 1, 0, 9, 1, 0)`.execute(old.write)
    for (const [revision, message] of deleted.entries())
      await sql`
        insert into tombstones (address_id, revision, message_id, expires_at)
        values (${id}, ${revision}, ${message}, 9)`.execute(old.write)
  }
  await insert('a', ['01', '02'], [])
  await insert('b', ['01', '03'], ['04', '02'])
  await insert('c', [], ['05'])
  await insert('d', [], [])
  await old.close()
  const database = await openIn(directory)
  const { rows } = await sql`select id, last_id as last from addresses order by id`.execute(database.read)
  expect(rows).toEqual([
    { id: 'a', last: '02' },
    { id: 'b', last: '04' },
    { id: 'c', last: '05' },
    { id: 'd', last: '' },
  ])
  await removeDatabase(database, directory)
})
