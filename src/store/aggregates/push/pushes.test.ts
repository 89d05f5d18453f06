import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { MINUTE, SECOND } from '#core/time.ts'
import type { Database } from '../../database.ts'
import { openIn, temporaryDirectory } from '../../dialects/sqlite/fixtures.ts'
import { createStore } from '../../store.ts'
import { claimed, key, newMessage, NOW } from '../../suite/fixtures.ts'
import { createPushStore } from './pushes.ts'

test('a push that another node records while its lease is taken over keeps its subscription', async () => {
  const directory = await temporaryDirectory()
  const database = await openIn(directory)
  onTestFinished(async () => {
    await database.close()
    await rm(directory, { recursive: true, force: true })
  })
  const store = createStore(database)
  const { id: addressId } = await claimed(store)
  const message = newMessage(addressId)
  await store.messages.append([message])
  const fields = { sealed: Uint8Array.of(1), hostKey: key(), sessionId: null, createdAt: NOW }
  await store.pushes.subscribe({ id: key(), addressId, ...fields }, 3, NOW)
  await store.pushes.queue(addressId, message.id, NOW, 5 * SECOND)
  const [slow] = await store.pushes.take(NOW, NOW + MINUTE, { limit: 1, except: [] })
  const batch = (async (...statements: Parameters<Database['batch']>) => {
    const results = await database.batch(...statements)
    await store.pushes.done(slow!, NOW + MINUTE, 5 * SECOND)
    return results
  }) as Database['batch']
  const other = createPushStore({ ...database, batch })
  expect(await other.take(NOW + MINUTE, NOW + 2 * MINUTE, { limit: 1, except: [] })).toEqual([])
  expect(await store.pushes.list(addressId, NOW)).toHaveLength(1)
})
