import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { DAY } from '#core/time.ts'
import { STEP_BYTES } from '../../aggregates/mailbox/steps.ts'
import { createStore } from '../../store.ts'
import { claimed, newMessage, NOW } from '../../suite/fixtures.ts'
import { forwarded, newMail } from '../../suite/forwarding-fixtures.ts'
import { openIn, removeDatabase, temporaryDirectory } from './fixtures.ts'
import type { SqliteDatabase } from './open.ts'

const SIZE = 1_000_000
const limits = { size: SIZE, limitBytes: 1e12 }
/** The log also has pages of indexes. */
const MOST = STEP_BYTES + 2 * SIZE

let directory: string
let database: SqliteDatabase
/** Bytes of the log that each transaction with a deletion needed. */
let logged: number[]
/** The number of transactions that succeed before the store fails. */
let working: number
const storeOf = () => createStore({ ...database, batch })

const log = async () => (await stat(join(directory, 'mayfly.db-wal'))).size

const batch: SqliteDatabase['batch'] = async (queries, inboxes) => {
  if (working-- === 0) throw new MayflyError('disk_full')
  const before = await log()
  const results = await database.batch(queries, inboxes)
  logged.push((await log()) - before)
  return results
}

beforeEach(async () => {
  directory = await temporaryDirectory()
  // The log only grows.
  database = await openIn(directory, { walPages: 1e6, walPagesMax: 1e6, afterDeletion: 600_000 })
  logged = []
  working = Infinity
})
afterEach(() => removeDatabase(database, directory))

async function filled(count: number) {
  const store = createStore(database)
  const { id } = await claimed(store)
  const messages = Array.from({ length: count }, () => newMessage(id, { ...limits, sealedBody: randomBytes(SIZE) }))
  await store.messages.append(messages)
  logged = []
  return { id, ids: messages.map((each) => each.id) }
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

test('removes an address in transactions of bounded size', async () => {
  const { id } = await filled(20)
  const store = storeOf()
  const row = await forwarded(store, id)
  for (let i = 0; i < 12; i++)
    await store.messages.append([
      { ...newMessage(id, limits), forwarding: { ...newMail(row), sealedMail: randomBytes(SIZE) } },
    ])
  logged = []
  expect(await store.addresses.remove(id, NOW)).toBe(true)
  expect(sum(logged)).toBeGreaterThan(30 * SIZE)
  expect(Math.max(...logged)).toBeLessThan(2 * MOST)
  expect(await store.stats(0)).toMatchObject({ addresses: 0, messages: 0 })
  expect(await store.forwardingJobs.waiting()).toBe(0)
})

test.each(['ended', 'refused by its destination'])(
  'gives up the messages of a forwarding that is %s in transactions of bounded size',
  async (how) => {
    const { id } = await filled(0)
    const store = storeOf()
    const row = await forwarded(store, id)
    const other = await forwarded(store, id)
    const append = async (...rows: (typeof row)[]) => {
      const message = newMessage(id, limits)
      await store.messages.append([{ ...message, forwarding: { ...newMail(...rows), sealedMail: randomBytes(SIZE) } }])
      return { addressId: id, messageId: message.id }
    }
    const given = []
    for (let i = 0; i < 20; i++) given.push(await append(row))
    const shared = await append(row, other)
    logged = []
    if (how === 'ended') expect(await store.forwardings.end(row.id, 'stopped', NOW)).toBe(true)
    else await store.forwardings.refuse(row.destinationKey, NOW)
    expect(sum(logged)).toBeGreaterThan(19 * SIZE)
    expect(Math.max(...logged)).toBeLessThan(MOST)
    expect(await store.forwardingJobs.waiting()).toBe(1)
    for (const message of given) expect(await store.forwardingJobs.mail(message)).toBeUndefined()
    expect(await store.forwardingJobs.mail(shared)).toHaveLength(SIZE)
    const { rows } = await sql`select 1 from forwarding_mails`.execute(database.read)
    expect(rows).toHaveLength(1)
  },
)

test.each(['ended', 'refused by its destination'])(
  'a forwarding is %s although the store fails right after that, and the next end gives up its messages',
  async (how) => {
    const { id } = await filled(0)
    const store = storeOf()
    const row = await forwarded(store, id)
    await store.messages.append([newMessage(id, { forwarding: newMail(row) })])
    working = 1
    if (how === 'ended') expect(await store.forwardings.end(row.id, 'stopped', NOW)).toBe(true)
    else await store.forwardings.refuse(row.destinationKey, NOW)
    expect(working).toBeLessThan(0)
    expect(await store.forwardings.find(row.id)).toMatchObject({ state: 'ended' })
    expect(await store.forwardingJobs.waiting()).toBe(1)
    expect(await store.forwardings.end(row.id, 'stopped', NOW)).toBe(false)
    expect(await store.forwardingJobs.waiting()).toBe(0)
  },
)

test('removes expired messages in transactions of bounded size, one per step', async () => {
  const { id } = await filled(20)
  await createStore(database).addresses.extend(id, NOW + 9 * DAY, NOW + 9 * DAY, NOW)
  const { messages } = storeOf()
  const removed: number[] = []
  for (let last = 1; last > 0; removed.push(last)) last = (await messages.removeExpired(NOW + DAY, 200)).removed
  expect(sum(removed)).toBe(20)
  expect(Math.max(...removed)).toBe(Math.floor(STEP_BYTES / SIZE))
  expect(Math.max(...logged)).toBeLessThan(MOST)
})

test('removes expired addresses together up to a number of bytes', async () => {
  for (let i = 0; i < 10; i++) await filled(3)
  const removed: number[] = []
  for (let last = 1; last > 0; removed.push(last)) last = (await database.removeExpiredAddresses(NOW + DAY, 200)).length
  expect(removed).toEqual([2, 2, 2, 2, 2, 0])
})

test('removes chosen messages in transactions of bounded size', async () => {
  const { id, ids } = await filled(20)
  const store = storeOf()
  await store.messages.removeAll(id, ids)
  expect(sum(logged)).toBeGreaterThan(19 * SIZE)
  expect(Math.max(...logged)).toBeLessThan(MOST)
  expect(await store.addresses.find(id, NOW)).toMatchObject({ usedBytes: 0 })
})
