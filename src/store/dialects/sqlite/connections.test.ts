import { randomBytes } from 'node:crypto'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { codeOf } from '#test/support/codes.ts'
import { createStore } from '../../store.ts'
import { claimed, key, newAddress, newMessage, NOW } from '../../suite/fixtures.ts'
import { forwarded, newMail } from '../../suite/forwarding-fixtures.ts'
import { openIn, openTemporary, removeDatabase } from './fixtures.ts'
import type { SqliteDatabase } from './open.ts'
import type { Thread } from './thread.ts'

let directory: string
let database: SqliteDatabase
let store: Store

beforeEach(async () => {
  ;({ directory, database, store } = await openTemporary())
})
afterEach(() => removeDatabase(database, directory))

const ask = async (thread: Thread, text: string): Promise<unknown> => {
  const [rows] = await thread.run('direct', [{ sql: text, parameters: [] }])
  return typeof rows === 'object' ? Object.values(rows[0] ?? {})[0] : rows
}

test('configures every connection for durable commits and overwritten deletions', async () => {
  const { writer, checkpointer, readers } = database.threads
  expect(readers).toHaveLength(2)
  for (const thread of [writer, checkpointer, ...readers]) {
    const of = (name: string) => ask(thread, `pragma ${name}`)
    expect(
      await Promise.all(
        [
          'journal_mode',
          'synchronous',
          'secure_delete',
          'wal_autocheckpoint',
          'auto_vacuum',
          'temp_store',
          'busy_timeout',
        ].map(of),
      ),
    ).toEqual(['wal', 2 /* FULL */, 1, 0, 2 /* INCREMENTAL */, 2 /* MEMORY */, 5000])
  }
  for (const reader of readers) {
    await expect(reader.run('transaction', [{ sql: 'delete from names', parameters: [] }])).rejects.toMatchObject({
      code: 'store_unavailable',
    })
  }
})

test('reports what an append stored, even if nothing can be read at that moment', async () => {
  const [live, full] = [await claimed(store), await claimed(store)]
  await Promise.all(database.threads.readers.map((reader) => reader.close()))
  const messages = [newMessage(live.id), newMessage(key()), newMessage(full.id, { limitBytes: 999 })]
  expect(await store.messages.append(messages)).toEqual(['stored', 'gone', 'full'])
})

test('makes the files readable only for the owner of the process', async () => {
  await store.check()
  const modes = await Promise.all(
    ['mayfly.db', 'mayfly.db-wal'].map(async (name) => (await stat(join(directory, name))).mode & 0o777),
  )
  expect(modes).toEqual([0o600, 0o600])
})

test('keeps data after closing and reopening', async () => {
  const { id } = await claimed(store)
  const message = newMessage(id)
  await store.messages.append([message])
  await database.close()
  database = await openIn(directory)
  expect(await createStore(database).messages.body(message)).toEqual(new Uint8Array(message.sealedBody))
})

test('rejects an unwritable path with one clear error', async () => {
  await expect(openIn('/dev/null/nowhere')).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(openIn(directory, { file: directory })).rejects.toMatchObject({ code: 'store_unavailable' })
})

test('accepts bytes that are a view of a larger buffer, shared or not', async () => {
  const { id } = await claimed(store)
  const large = randomBytes(100_000)
  const shared = new Uint8Array(new SharedArrayBuffer(1000)).fill(7)
  const bodies = [large.subarray(10, 20), large.subarray(0, 0), shared.subarray(5, 500), Buffer.from('pooled')]
  const messages = bodies.map((sealedBody) => newMessage(id, { sealedBody }))
  await store.messages.append(messages)
  const found = await Promise.all(messages.map((each) => store.messages.body(each)))
  expect(found).toEqual(bodies.map((body) => new Uint8Array(body)))
  expect(large.length).toBe(100_000)
})

describe('a full disk', () => {
  test('is reported as such, loses nothing, and is over when space is free again', async () => {
    await database.close()
    const [onTrouble, onRecovery] = [vi.fn<() => void>(), vi.fn<() => void>()]
    database = await openIn(directory, { onTrouble, onRecovery })
    store = createStore(database)
    const { id } = await claimed(store)
    const before = newMessage(id)
    await store.messages.append([before])
    const pages = Number(await ask(database.threads.writer, 'pragma page_count'))
    await ask(database.threads.writer, `pragma max_page_count = ${pages + 20}`)
    const small = newMessage(id)
    const results = await Promise.allSettled([
      store.messages.append([newMessage(id), newMessage(id, { sealedBody: randomBytes(500_000) })]),
      store.messages.append([small]),
    ])
    expect(results[0]).toMatchObject({ status: 'rejected', reason: { code: 'disk_full' } })
    expect(results[1]).toMatchObject({ status: 'fulfilled', value: ['stored'] })
    expect((await store.messages.list(id, { now: NOW, limit: 10 })).map((row) => row.id)).toEqual([small.id, before.id])
    const full = ['The disk of the database is full', expect.objectContaining({ code: 'disk_full' })]
    expect(onTrouble.mock.calls).toEqual([full])

    await ask(database.threads.writer, 'pragma max_page_count = 1000000')
    expect(await store.messages.append([newMessage(id, { sealedBody: randomBytes(500_000) })])).toEqual(['stored'])
    expect((await store.addresses.find(id, NOW))?.usedBytes).toBe(3000)
    expect([onTrouble.mock.calls, onRecovery.mock.calls]).toEqual([[full], [['There is disk space again']]])
  })

  test('rejects messages when the reserve is reached, but still deletes and reads', async () => {
    const { id } = await claimed(store)
    const message = newMessage(id)
    await store.messages.append([message])
    await database.close()
    const { bavail, bsize } = await statfs(directory)
    const free = bavail * bsize
    for (const [reserveBytes, taken] of [
      [free * 2, false],
      [Math.floor(free / 2), true],
      [0, true],
    ] as const) {
      database = await openIn(directory, { reserveBytes, onTrouble() {} })
      store = createStore(database)
      const answers = [store.messages.append([newMessage(id)]), store.check()].map(codeOf)
      expect(await Promise.all(answers)).toEqual(taken ? ['fine', 'fine'] : ['disk_full', 'disk_full'])
      if (!taken) {
        expect(await store.messages.body(message)).toBeDefined()
        expect(await store.messages.remove(id, message.id)).toBeDefined()
        await store.maintain(NOW)
      }
      await database.close()
    }
    database = await openIn(directory)
  })
})

describe('a thread that crashes', () => {
  test('rejects its pending jobs and is restarted', async () => {
    await database.close()
    const troubles: string[] = []
    database = await openIn(directory, { onTrouble: (message) => troubles.push(message) })
    store = createStore(database)
    const { id } = await claimed(store)
    const writing = Array.from({ length: 50 }, () =>
      store.messages.append([newMessage(id, { sealedBody: randomBytes(100_000) })]),
    )
    const settled = Promise.allSettled([...writing, store.messages.list(id, { now: NOW, limit: 10 })])
    // All jobs have been sent to the threads by now.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    await Promise.all([database.threads.writer, ...database.threads.readers].map((thread) => thread.kill()))
    const results = await settled
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'store_unavailable' })
    expect(results.some(({ status }) => status === 'rejected')).toBe(true)
    expect(troubles).toContain('The writer thread of the store died')

    const acknowledged = results.slice(0, -1).filter(({ status }) => status === 'fulfilled').length
    expect((await store.messages.list(id, { now: NOW, limit: 100 })).length).toBeGreaterThanOrEqual(acknowledged)
    expect(await store.messages.append([newMessage(id)])).toEqual(['stored'])
    await store.check()
  })
})

test('uses an index for queries on hot paths', async () => {
  const ran: string[] = []
  const spied: SqliteDatabase = {
    ...database,
    snapshot: (queries) => (ran.push(...queries.map((query) => query.sql)), database.snapshot(queries)),
    batch: (queries) => (ran.push(...queries.map((query) => query.sql)), database.batch(queries)),
    read: database.read.withPlugin({
      transformQuery: ({ node }) => (
        ran.push(database.read.getExecutor().compileQuery(node, { queryId: 'plan' }).sql),
        node
      ),
      transformResult: ({ result }) => Promise.resolve(result),
    }),
  }
  const { addresses, messages, forwardings, forwardingJobs } = createStore(spied)
  const address = newAddress()
  const message = newMessage(address.id)
  await addresses.claim(address, NOW)
  await addresses.find(address.id, NOW)
  await addresses.findRecipients([address.nameKey], NOW)
  await addresses.extend(address.id, NOW + 2 * DAY, NOW + 3 * DAY, NOW)
  await addresses.removeExpired(NOW, 10)
  await addresses.forgetNames(NOW, 10)
  await messages.append([message, newMessage(key())])
  await messages.attachSummaries([{ ...message, sealedSummary: randomBytes(10) }])
  await messages.list(address.id, { now: NOW, limit: 10 })
  await messages.list(address.id, { now: NOW, limit: 10, before: message.id, after: message.id })
  await messages.find(address.id, message.id, NOW)
  await messages.body(message)
  await messages.mark(address.id, message.id, { seen: true })
  await messages.changes(address.id, 0, NOW)
  await messages.remove(address.id, message.id)
  await messages.append([newMessage(address.id, { expiresAt: NOW })])
  await messages.removeExpired(NOW, 10)
  const row = await forwarded(createStore(spied), address.id)
  await messages.append([newMessage(address.id, { forwarding: newMail(row) })])
  const [job] = await forwardingJobs.take(NOW, NOW + DAY, { limit: 9, except: [] })
  await forwardingJobs.mail(job!)
  await forwardingJobs.postpone(job!, NOW)
  await forwardingJobs.finish(job!, 'sent', NOW)
  await forwardingJobs.find(job!.id)
  await forwardingJobs.recordBounce(job!.id, null)
  await forwardingJobs.reserve(row.destinationKey, NOW, { perHour: 1, perDay: 1 })
  await forwardingJobs.log(address.id, { limit: 9, before: job!.id })
  await forwardingJobs.forget(NOW, 9)
  await forwardingJobs.waiting()
  await forwardings.list(address.id)
  await forwardings.pause(row.id, true)
  await forwardings.recordBounce(row.id, NOW, NOW)
  await forwardings.refuse(row.destinationKey, NOW)
  await forwardings.remove(row.id)
  await forwardings.forget(NOW, 9)
  await addresses.remove(address.id, NOW)
  const queries = [...new Set(ran)]
  expect(queries.length).toBeGreaterThan(25)

  const plans = await Promise.all(
    queries.map(async (text) => {
      const parameters = Array.from({ length: text.split('?').length - 1 }, () => 1)
      const [rows] = await database.threads.writer.run('direct', [{ sql: `explain query plan ${text}`, parameters }])
      return typeof rows === 'object' ? rows.map(({ detail }) => `${String(detail)} <- ${text}`) : []
    }),
  )
  const steps = plans.flat()
  // The walk from destination to destination, and the count of waiting jobs, start at the beginning of their index.
  // The subqueries `oldest` and `step` have the rows of one step.
  const walked =
    'CONSTANT|json_each|oldest |step |\\(subquery|destinations|forwarding_jobs USING COVERING INDEX forwarding_jobs_waiting'
  expect(steps.filter((step) => new RegExp(`^SCAN (?!${walked})`).test(step))).toEqual([])
  expect(steps.filter((step) => step.includes('USING INDEX messages_change'))).toHaveLength(1)
})
