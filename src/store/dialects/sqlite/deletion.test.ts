import { randomBytes } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { createStore } from '../../store.ts'
import { claimed, newMessage, NOW } from '../../suite/fixtures.ts'
import { forwarded, newMail, takeAll } from '../../suite/forwarding-fixtures.ts'
import { openIn, temporaryDirectory } from './fixtures.ts'
import type { SqliteDatabase, SqliteOptions } from './open.ts'

let directory: string
let database: SqliteDatabase
let store: Store

beforeEach(async () => {
  directory = await temporaryDirectory()
})

afterEach(async () => {
  await database.close()
  await rm(directory, { recursive: true })
})

async function open(options: Partial<SqliteOptions> = {}): Promise<void> {
  database = await openIn(directory, options)
  store = createStore(database)
}

const sizeOf = async (name: string): Promise<number> => (await stat(join(directory, name))).size

/** Whether a database file contains these bytes, or any 32 of them in a row that start at a multiple of 32. */
async function find(bytes: Uint8Array): Promise<boolean> {
  // The WAL first, because its content moves to the database at any time.
  const wal = await readFile(join(directory, 'mayfly.db-wal'))
  const files = [wal, await readFile(join(directory, 'mayfly.db'))]
  for (let i = 0; i + 32 <= bytes.length; i += 32) {
    if (files.some((file) => file.includes(bytes.subarray(i, i + 32)))) return true
  }
  return false
}

test.each(['remove', 'expire', 'remove the address'])(
  'leaves nothing of a deleted message in the files (%s)',
  async (how) => {
    await open()
    const [address, other] = [await claimed(store), await claimed(store)]
    const sealedSummary = randomBytes(600)
    const messages = [64, 3000, 20_000].map((length) => newMessage(address.id, { sealedBody: randomBytes(length) }))
    const kept = newMessage(other.id, { sealedBody: randomBytes(5000), expiresAt: NOW + 2 * DAY })
    await store.messages.append([...messages, kept])
    await store.messages.attachSummaries(messages.map((each) => ({ ...each, sealedSummary })))
    expect(await find(messages[0]!.sealedBody)).toBe(true)
    expect(await find(sealedSummary)).toBe(true)

    if (how === 'remove') await Promise.all(messages.map(({ addressId, id }) => store.messages.remove(addressId, id)))
    if (how === 'expire') await store.messages.removeExpired(NOW + DAY, 10)
    if (how === 'remove the address') await store.addresses.remove(address.id, NOW + DAY)

    await vi.waitFor(async () => expect(await sizeOf('mayfly.db-wal')).toBe(0), PATIENCE)
    for (const { sealedBody } of messages) expect(await find(sealedBody)).toBe(false)
    expect(await find(sealedSummary)).toBe(false)
    if (how === 'remove the address') expect(await find(address.sealedName)).toBe(false)
    expect(await find(kept.sealedBody)).toBe(true)
  },
)

test.each(['finish', 'remove', 'end', 'remove the address'])(
  'leaves nothing of a forwarded message in the files (%s)',
  async (how) => {
    await open()
    const { id } = await claimed(store)
    const [row, other] = [await forwarded(store, id), await forwarded(store, id)]
    const messages = [64, 3000, 20_000].map((length) => ({
      ...newMessage(id),
      forwarding: { ...newMail(row), sealedMail: randomBytes(length) },
    }))
    const kept = newMessage((await claimed(store)).id, { forwarding: newMail(other) })
    await store.messages.append([...messages, kept])
    for (const { forwarding } of messages) expect(await find(forwarding.sealedMail)).toBe(true)

    if (how === 'finish') for (const job of await takeAll(store)) await store.forwardingJobs.finish(job, 'sent', NOW)
    if (how === 'remove') await Promise.all(messages.map((each) => store.messages.remove(id, each.id)))
    if (how === 'end') await store.forwardings.end(row.id, 'stopped', NOW)
    if (how === 'remove the address') await store.addresses.remove(id, NOW + DAY)

    await vi.waitFor(async () => expect(await sizeOf('mayfly.db-wal')).toBe(0), PATIENCE)
    for (const { forwarding } of messages) expect(await find(forwarding.sealedMail)).toBe(false)
    expect(await find(row.sealedDestination)).toBe(how !== 'remove the address')
    expect(await find(kept.forwarding!.sealedMail)).toBe(how !== 'finish')
  },
)

test('empties the WAL when no reader needs it any longer', async () => {
  await open()
  const { id } = await claimed(store)
  const message = newMessage(id)
  await store.messages.append([message])
  const { writer, readers } = database.threads
  const ran = vi.spyOn(writer, 'run')
  const attempts = () =>
    ran.mock.calls.filter(([, statements]) => statements.some(({ sql }) => sql.includes('truncate')))
  // A reader that keeps its snapshot, like a long query.
  const direct = (text: string) => readers[0]!.run('direct', [{ sql: text, parameters: [] }])
  await direct('begin')
  await direct('select count(*) from messages')
  await store.messages.remove(id, message.id)
  await vi.waitFor(() => expect(attempts().length).toBeGreaterThan(1), PATIENCE)
  expect(await sizeOf('mayfly.db-wal')).toBeGreaterThan(0)
  await direct('commit')
  await vi.waitFor(async () => expect(await sizeOf('mayfly.db-wal')).toBe(0), PATIENCE)
  expect(await find(message.sealedBody)).toBe(false)
})

test('empties the WAL of a crash soon after the next start', async () => {
  await open({ afterDeletion: 60_000 })
  const { id } = await claimed(store)
  const message = newMessage(id)
  await store.messages.append([message])
  await store.messages.remove(id, message.id)
  expect(await find(message.sealedBody)).toBe(true)
  // Opens it a second time, because a clean close would empty the WAL as well.
  const again = await openIn(directory)
  await vi.waitFor(async () => expect(await sizeOf('mayfly.db-wal')).toBe(0), PATIENCE)
  expect(await find(message.sealedBody)).toBe(false)
  await again.close()
})

test('empties the WAL of an idle store', async () => {
  await open({ afterWrites: 50, afterDeletion: 60_000 })
  await claimed(store)
  await vi.waitFor(async () => expect(await sizeOf('mayfly.db-wal')).toBe(0), PATIENCE)
})

test('bounds the WAL under constant load', async () => {
  const [walPages, walPagesMax] = [1000, 4000]
  await open({ walPages, walPagesMax, afterDeletion: 60_000 })
  const { id } = await claimed(store)
  let largest = 0
  let written = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (written < 100_000_000) {
        const batch = Array.from({ length: 50 }, () =>
          newMessage(id, { sealedBody: randomBytes(8000), limitBytes: 1e9 }),
        )
        written += 50 * 8000
        await store.messages.append(batch)
        largest = Math.max(largest, await sizeOf('mayfly.db-wal'))
      }
    }),
  )
  // Writes that were pending when the limit was reached come on top.
  expect(largest).toBeLessThan((walPagesMax + 2000) * 4120)
})

test('does not delay messages while a reader keeps its snapshot, like a backup', async () => {
  const walPagesMax = 1000
  const troubles: string[] = []
  // A write that waits for the reader exceeds the timeout of the test.
  const busyTimeout = 10 * 60_000
  await open({ walPages: 200, walPagesMax, busyTimeout, onTrouble: (message) => troubles.push(message) })
  const { id } = await claimed(store)
  const reader = new DatabaseSync(join(directory, 'mayfly.db'), { readOnly: true })
  try {
    reader.exec('begin')
    reader.prepare('select count(*) from messages').get()
    while ((await sizeOf('mayfly.db-wal')) < 3 * walPagesMax * 4096) {
      const message = newMessage(id, { sealedBody: randomBytes(100_000), limitBytes: 1e9 })
      expect(await store.messages.append([message])).toEqual(['stored'])
    }
    await store.check()
    expect(troubles.length).toBeGreaterThan(0)
    expect(troubles.length).toBeLessThan(20)
  } finally {
    reader.close()
  }
  await store.messages.append([newMessage(id)])
  await vi.waitFor(async () => expect(await sizeOf('mayfly.db-wal')).toBeLessThan(walPagesMax * 4096), PATIENCE)
})

test('shrinks the file after many messages expired, and keeps live ones', async () => {
  await open()
  const { id } = await claimed(store, { expiresAt: NOW + 9 * DAY })
  const early = Array.from({ length: 3000 }, () => newMessage(id, { sealedBody: randomBytes(8000), limitBytes: 1e9 }))
  const late = Array.from({ length: 20 }, () => newMessage(id, { expiresAt: NOW + 5 * DAY, limitBytes: 1e9 }))
  for (let i = 0; i < early.length; i += 500) {
    await store.messages.append(early.slice(i, i + 500))
  }
  await store.messages.append(late)
  await store.check()
  for (let removed = 1; removed > 0;) {
    removed = (await store.messages.removeExpired(NOW + DAY, 500)).removed
  }
  await vi.waitFor(async () => expect(await sizeOf('mayfly.db-wal')).toBe(0), PATIENCE)
  const before = await sizeOf('mayfly.db')
  expect(before).toBeGreaterThan(24_000_000)
  await store.maintain(NOW)
  // The file is truncated by the checkpoint.
  await store.messages.remove(id, late[0]!.id)
  await vi.waitFor(async () => expect(await sizeOf('mayfly.db')).toBeLessThan(before / 4), PATIENCE)
  expect(await store.messages.list(id, { now: NOW + DAY, limit: 100 })).toHaveLength(19)
  expect(await store.messages.body(late[5]!)).toEqual(new Uint8Array(late[5]!.sealedBody))
})
