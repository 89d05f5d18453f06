import { rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import { DAY } from '#core/time.ts'
import { createStore } from '../../store.ts'
import { claimed, newMessage, NOW } from '../../suite/fixtures.ts'
import { migrationsContract } from '../../suite/migrate.suite.ts'
import { damage, openIn, removeDatabase, temporaryDirectory } from './fixtures.ts'
import type { SqliteDatabase } from './open.ts'

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

const BEFORE_LAST_IDS = '021-payment-events-by-time'

/** Stores a message as the version before migration 022 does. */
const insert = async ({ write }: SqliteDatabase, { addressId, id }: NewMessage) => {
  await sql`
    insert into messages (address_id, id, revision, received_at, expires_at, size, seen)
    values (${addressId}, ${id}, 1, ${NOW}, ${NOW + DAY}, 1, 0)`.execute(write)
}

test('stores no message before those of the previous version, also if that runs again', async () => {
  const directory = await temporaryDirectory()
  const old = await openIn(directory, { until: BEFORE_LAST_IDS })
  const { id } = await claimed(createStore(old))
  const next = () => newMessage(id)
  const [before, first, between, after, last] = [next(), next(), next(), next(), next()]
  await insert(old, first)
  const database = await openIn(directory)
  const { messages } = createStore(database)
  expect(await messages.append([before, between])).toEqual([{ after: first.id }, 'stored'])
  await insert(old, last)
  expect(await messages.append([after])).toEqual([{ after: last.id }])
  expect(await messages.append([next()])).toEqual(['stored'])
  await old.close()
  await removeDatabase(database, directory)
})

test('starts although messages of the previous version are on a damaged page', async () => {
  const directory = await temporaryDirectory()
  const old = await openIn(directory, { until: BEFORE_LAST_IDS })
  const { id } = await claimed(createStore(old))
  const messages = Array.from({ length: 200 }, () => newMessage(id))
  for (const message of messages) await insert(old, message)
  await old.close()
  await damage(directory, messages.at(-1)!.id)
  const database = await openIn(directory)
  expect(await createStore(database).addresses.find(id, NOW)).toBeDefined()
  await removeDatabase(database, directory)
})
