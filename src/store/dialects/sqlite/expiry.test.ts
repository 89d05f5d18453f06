import { afterEach, beforeEach, expect, test } from 'vitest'
import { NEVER } from '#core/mailbox/lifetime.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { createAddressRemoval } from '../../aggregates/mailbox/address-removal.ts'
import { claimed, newMessage, NOW } from '../../suite/fixtures.ts'
import { createExpiry } from './expiry.ts'
import { openTemporary, removeDatabase } from './fixtures.ts'
import type { SqliteDatabase } from './open.ts'

let directory: string
let database: SqliteDatabase
let store: Store

beforeEach(async () => {
  ;({ directory, database, store } = await openTemporary())
})
afterEach(() => removeDatabase(database, directory))

test.each([
  { addresses: 5, messages: 0, together: 5 },
  { addresses: 70, messages: 0, together: 70 },
  { addresses: 8, messages: 19, together: 3 },
  { addresses: 3, messages: 210, together: 1 },
])('removes expired addresses ($addresses with $messages messages) in commits of bounded size', async (each) => {
  const ids: string[] = []
  for (let i = 0; i < each.addresses; i++) {
    const { id } = await claimed(store)
    ids.push(id)
    await store.messages.append(Array.from({ length: each.messages }, () => newMessage(id)))
  }
  let [now, most] = [0, 0]
  const batch = async (queries: never): Promise<never> => {
    most = Math.max(most, ++now)
    return database.batch(queries).finally(() => now--) as never
  }
  const expiry = createExpiry({ ...database, batch })
  const removed: string[] = []
  for (let step = ['']; step.length > 0; removed.push(...step)) step = await expiry.addresses(NOW + DAY, 70)
  expect(removed.toSorted()).toEqual(ids.toSorted())
  expect(most).toBe(each.together)
  expect(await store.stats(0)).toMatchObject({ addresses: 0, messages: 0 })
})

/** Returns the database with a `batch` that runs `work` before the transaction with this number. */
function before(number: number, work: () => Promise<void>): SqliteDatabase {
  let transactions = 0
  const batch = async (queries: never): Promise<never> => {
    if (++transactions === number) await work()
    return (await database.batch(queries)) as never
  }
  return { ...database, batch }
}

/** Removes the address, and creates it again with a message. */
async function recreate(address: Awaited<ReturnType<typeof claimed>>) {
  await store.addresses.remove(address.id, NOW)
  const again = { ...address, expiresAt: NOW + 9 * DAY }
  expect(await store.addresses.claim(again, NOW, address.id)).toBe(true)
  await store.messages.append([newMessage(address.id, { expiresAt: NOW + 9 * DAY })])
}

const survivors = async (id: string) => [
  (await store.addresses.find(id, NOW + DAY))?.usedBytes,
  (await store.messages.list(id, { now: NOW + DAY, limit: 10 })).length,
]

test('keeps an address that was created again after the sweep found it', async () => {
  const [address, other] = [await claimed(store), await claimed(store)]
  const expiry = createExpiry(before(1, () => recreate(address)))
  expect(await expiry.addresses(NOW + DAY, 10)).toEqual([other.id])
  expect(await survivors(address.id)).toEqual([1000, 1])
})

test('keeps an address that was created again while another removal still deletes its messages', async () => {
  const address = await claimed(store)
  await store.messages.append(Array.from({ length: 450 }, () => newMessage(address.id)))
  await createAddressRemoval(before(2, () => recreate(address)))(address.id, NEVER)
  expect(await survivors(address.id)).toEqual([1000, 1])
})
