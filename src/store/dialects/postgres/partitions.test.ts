import { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HOUR, DAY } from '#core/time.ts'
import { runSql } from '#test/support/program/postgres.ts'
import { createStore } from '../../store.ts'
import { appendAll, claimed, newMessage, NOW } from '../../suite/fixtures.ts'
import { newCall, newSummary, newWebhook, subscribed } from '../../suite/premium-fixtures.ts'
import { Connection } from './connections.ts'
import { databaseForNodes, defaults, type Node } from './testing.ts'

let here: Awaited<ReturnType<typeof databaseForNodes>>
let one: Node
let two: Node

beforeEach(async () => {
  here = await databaseForNodes()
  ;[one, two] = [await here.node(), await here.node()]
})

afterEach(() => here.drop())

/** Returns the names of all partitions of messages, including half detached ones. */
async function partitions(table = 'messages'): Promise<string[]> {
  const rows = await runSql(here.url, `select relname from pg_class where relkind = 'r' and relname ~ '^${table}_\\d'`)
  return rows.map(({ relname }) => String(relname)).toSorted()
}

const nameOf = (time: number): string => `messages_${new Date(time).toISOString().slice(0, 13).replaceAll(/\D/g, '')}`
const endAt = (expiresAt: number) => ({ receivedAt: expiresAt - DAY, expiresAt })

test('stores a message and its body in the partition of the hour in which it expires', async () => {
  const { id } = await claimed(one.store)
  await one.store.messages.append([newMessage(id), newMessage(id, endAt(NOW + DAY + 1))])
  const [counts] = await runSql(
    here.url,
    `select (select count(*) from ${nameOf(NOW + DAY)}) as early, (select count(*) from ${nameOf(NOW + DAY + HOUR)}) as late`,
  )
  expect(counts).toEqual({ early: '1', late: '1' })
})

test('creates partitions once when several nodes need them', async () => {
  const { id } = await claimed(one.store)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      appendAll([one, two][i % 2]!.store.messages, [newMessage(id, endAt(NOW + DAY + (i % 5) * HOUR))]),
    ),
  )
  expect(outcomes.flat().every((outcome) => outcome === 'stored')).toBe(true)
  const hours = [0, 1, 2, 3, 4].map((each) => nameOf(NOW + DAY + each * HOUR))
  expect(await partitions()).toEqual(expect.arrayContaining(hours))
})

test('creates the partitions of the next three hours ahead, unaffected by long lifetimes', async () => {
  const { id } = await claimed(one.store)
  await one.store.messages.append([newMessage(id), newMessage(id, { expiresAt: NOW + 90 * DAY })])
  const expected = [0, 1, 2, 3].map((hours) => nameOf(NOW + DAY + hours * HOUR))
  const last = nameOf(Math.ceil((NOW + 90 * DAY) / (10 * DAY)) * 10 * DAY)
  await expect.poll(() => partitions()).toEqual([...expected, last])
  await expect.poll(() => partitions('bodies')).toHaveLength(5)
  await two.store.messages.append([newMessage(id, endAt(NOW + DAY + HOUR))])
  await expect.poll(() => partitions()).toEqual([...expected, nameOf(NOW + DAY + 4 * HOUR), last])
})

test('drops whole partitions after their messages were removed from the inboxes', async () => {
  const [alive, dead] = [await claimed(one.store, { expiresAt: NOW + 9 * DAY }), await claimed(one.store)]
  const messages = [0, 1, 2].map((hours) => newMessage(alive.id, endAt(NOW + DAY + hours * HOUR)))
  const orphans = [0, 1, 2].map((hours) => newMessage(dead.id, endAt(NOW + DAY + hours * HOUR)))
  await one.store.messages.append([...messages, ...orphans])
  await one.store.addresses.removeExpired(NOW + DAY, 10)

  // The hour is over, but the inboxes are not updated yet.
  await one.store.maintain(NOW + DAY + HOUR)
  expect(await one.store.messages.body(messages[0]!)).toBeDefined()

  expect(await one.store.messages.removeExpired(NOW + DAY + HOUR, 100)).toEqual({ addressIds: [alive.id], removed: 4 })
  await one.store.maintain(NOW + DAY + HOUR)
  expect(await two.store.messages.body(messages[1]!)).toBeUndefined()
  expect(await two.store.messages.body(messages[2]!)).toBeDefined()
  expect((await two.store.addresses.find(alive.id, NOW))?.usedBytes).toBe(messages[2]!.size)
  const names = await partitions()
  expect(names.filter((name) => name <= nameOf(NOW + DAY + HOUR))).toEqual([])
  expect(names).toContain(nameOf(NOW + DAY + 2 * HOUR))
  expect(await partitions('bodies')).toEqual(names.map((name) => name.replace('messages', 'bodies')))
})

test('deletes messages with a long lifetime in time, although their partition stays', async () => {
  const { id } = await claimed(one.store, { expiresAt: NOW + 400 * DAY })
  const [early, late] = [30, 31].map((days) => newMessage(id, { expiresAt: NOW + days * DAY - HOUR * 5 }))
  await one.store.messages.append([early!, late!])
  await one.store.messages.removeExpired(early!.expiresAt, 100)
  expect(await one.store.messages.body(early!)).toBeUndefined()
  expect(await one.store.messages.body(late!)).toBeDefined()
})

test('completes an interrupted drop before all others', async () => {
  const { id } = await claimed(one.store)
  const messages = [0, 1, 2].map((hours) => newMessage(id, endAt(NOW + DAY + hours * HOUR)))
  await one.store.messages.append(messages)
  await one.store.messages.removeExpired(NOW + DAY + 2 * HOUR, 100)
  const [first, second] = [nameOf(NOW + DAY), nameOf(NOW + DAY + HOUR)]
  // One partition is detached but not dropped. Another one, which a transaction still reads, is half detached.
  await runSql(here.url, `alter table messages detach partition ${first} concurrently`)
  const reader = new Connection({ ...defaults, url: here.url })
  await reader.connect()
  await reader.run(['begin', 'select count(*) from bodies'])
  const detach = `alter table bodies detach partition ${second.replace('messages', 'bodies')} concurrently`
  const hasty = new Connection({ ...defaults, url: here.url, statementTimeout: 300 })
  await hasty.connect()
  await expect(hasty.run([detach])).rejects.toMatchObject({ code: '57014' })
  await Promise.all([reader.end(), hasty.end()])

  await two.store.maintain(NOW + DAY + 2 * HOUR)
  expect(await partitions()).not.toContain(first)
  expect(await partitions()).not.toContain(second)
  expect(await partitions('bodies')).not.toContain(second.replace('messages', 'bodies'))
})

test('does not block messages or the sweep while a long transaction reads old messages', async () => {
  const { id } = await claimed(one.store, { expiresAt: NOW + 9 * DAY })
  await one.store.messages.append([newMessage(id), newMessage(id, endAt(NOW + 2 * DAY))])
  await one.store.messages.removeExpired(NOW + DAY, 100)
  const reader = new Connection({ ...defaults, url: here.url })
  await reader.connect()
  await reader.run(['begin', 'select count(*) from messages'])
  const started = performance.now()
  const trouble = vi.fn()
  const three = await here.node({ onTrouble: trouble })
  const maintained = three.store.maintain(NOW + DAY)
  // A message for an hour without a partition has to wait for the sweep, but not long.
  expect(await two.store.messages.append([newMessage(id, endAt(NOW + 3 * DAY))])).toEqual(['stored'])
  await maintained
  expect(trouble).toHaveBeenCalledTimes(1)
  expect(await partitions('bodies')).not.toContain(nameOf(NOW + DAY).replace('messages', 'bodies'))
  expect(performance.now() - started).toBeLessThan(4500)
  await reader.end()
  await one.store.maintain(NOW + DAY)
  expect(await partitions()).not.toContain(nameOf(NOW + DAY))
})

test('continues to read and write while partitions are dropped', async () => {
  const { id } = await claimed(one.store, { expiresAt: NOW + 9 * DAY })
  const old = Array.from({ length: 8 }, (_, i) => newMessage(id, endAt(NOW + i * HOUR)))
  await one.store.messages.append(old)
  await one.store.messages.removeExpired(NOW + 8 * HOUR, 100)
  let dropped = false
  const maintained = one.store.maintain(NOW + 8 * HOUR).finally(() => (dropped = true))
  while (!dropped) {
    expect(await two.store.messages.append([newMessage(id, endAt(NOW + 30 * HOUR))])).toEqual(['stored'])
    expect((await two.store.messages.list(id, { now: NOW + 8 * HOUR, limit: 1 })).length).toBe(1)
  }
  await maintained
  expect(await partitions()).not.toContain(nameOf(NOW + 7 * HOUR))
})

test('keeps bodies of up to nearly a page in their row, and never compresses them', async () => {
  const { id } = await claimed(one.store)
  await one.store.messages.append([newMessage(id, { sealedBody: Buffer.alloc(7500, 1) })])
  const name = nameOf(NOW + DAY).replace('messages', 'bodies')
  const [row] = await runSql(
    here.url,
    `select pg_column_size(sealed_body) as size, pg_relation_size(reltoastrelid) as apart
       from ${name}, pg_class where relname = '${name}'`,
  )
  expect(row).toEqual({ size: 7504, apart: '0' })
})

test('queues the calls of a message with a look at its partition alone', async () => {
  const plans: string[] = []
  const client = new Client({ connectionString: here.url })
  await client.connect()
  const store = createStore({
    ...one.database,
    async attachSummaries(summaries, before) {
      for (const { sql, parameters } of before) {
        const { rows } = await client.query(`explain ${sql}`, [...parameters])
        plans.push(rows.map((row: object) => Object.values(row).join()).join('\n'))
      }
      return one.database.attachSummaries(summaries, before)
    },
  })
  const { id } = await claimed(store)
  const message = newMessage(id)
  await store.messages.append([message, newMessage(id, endAt(NOW + DAY + HOUR))])
  const webhook = newWebhook((await subscribed(store)).id)
  await store.webhooks.add(webhook, 10)
  const queued = await store.messages.attachSummaries([newSummary(message, [newCall(webhook.id)])])
  await client.end()
  expect(queued).toMatchObject({ queued: 1, dropped: 0 })
  expect(plans.map((plan) => [...new Set(plan.match(/messages_\d{10}/g))])).toEqual([
    [nameOf(NOW + DAY)],
    [nameOf(NOW + DAY)],
  ])
})
