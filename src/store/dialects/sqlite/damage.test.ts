import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewMessage } from '#core/mailbox/message-store.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { createStore } from '../../store.ts'
import { claimed, newMessage, NOW } from '../../suite/fixtures.ts'
import { damage, openIn, removeDatabase, temporaryDirectory } from './fixtures.ts'
import type { SqliteDatabase } from './open.ts'

const COUNT = 40

let directory: string
let database: SqliteDatabase
let store: Store

beforeEach(async () => {
  directory = await temporaryDirectory()
  await reopen()
})
afterEach(() => removeDatabase(database, directory))

async function reopen(): Promise<void> {
  database = await openIn(directory)
  store = createStore(database)
}

/** Overwrites the page with the body of this message. */
async function damageBody({ sealedBody }: NewMessage): Promise<void> {
  await database.close()
  await damage(directory, sealedBody)
  await reopen()
}

/** Stores a message in each of many addresses. */
async function filled() {
  const messages = []
  for (let i = 0; i < COUNT; i++) {
    const { id } = await claimed(store)
    const message = newMessage(id, { sealedBody: randomBytes(500) })
    await store.messages.append([message])
    messages.push(message)
  }
  return messages
}

/** Repeats a step until it removes nothing. Returns what it removed. */
async function all<Removed>(step: () => Promise<Removed[]>): Promise<Removed[]> {
  const removed: Removed[] = []
  for (;;) {
    const some = await step()
    if (some.length === 0) return removed
    removed.push(...some)
  }
}

const failure = {
  code: 'store_unavailable',
  message: expect.stringMatching(/expired addresses or messages can't be removed/),
}

test('a damaged page does not end the removal of other expired addresses', async () => {
  const messages = await filled()
  await damageBody(messages[3]!)
  const sweep = () => all(() => store.addresses.removeExpired(NOW + DAY, 5))
  await expect(sweep()).rejects.toMatchObject(failure)
  const { addresses } = await store.stats(0)
  expect(addresses).toBeGreaterThan(0)
  expect(addresses).toBeLessThan(COUNT / 2)
  // The next sweep tries them again, and removes others.
  const other = await claimed(store)
  await expect(sweep()).rejects.toMatchObject(failure)
  expect(await store.addresses.find(other.id, NOW)).toBeUndefined()
})

test('a damaged page does not end the removal of other expired messages', async () => {
  const messages = await filled()
  for (const { addressId } of messages) await store.addresses.extend(addressId, NOW + 9 * DAY, NOW + 9 * DAY, NOW)
  await damageBody(messages[3]!)
  const sweep = () =>
    all(async () => Array.from({ length: (await store.messages.removeExpired(NOW + DAY, 5)).removed }))
  await expect(sweep()).rejects.toMatchObject(failure)
  const { messages: left } = await store.stats(0)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(COUNT / 2)
})

test('queries beside one that needs a damaged page succeed', async () => {
  const [message] = await filled()
  await damageBody(message!)
  const { id } = await claimed(store)
  const reads = Array.from({ length: 20 }, () => [store.messages.body(message!), store.addresses.find(id, NOW)])
  const results = await Promise.allSettled(reads.flat())
  const outcomes = results.map(({ status }) => status)
  expect(outcomes).toEqual(reads.flatMap(() => ['rejected', 'fulfilled']))
  const appends = await Promise.allSettled([
    store.messages.append([newMessage(id)]),
    store.messages.remove(message!.addressId, message!.id),
  ])
  expect(appends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})
