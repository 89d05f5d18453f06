import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR, DAY } from '#core/time.ts'
import { runSql } from '#test/support/program/postgres.ts'
import { appendAll, claimed, key, newAddress, newMessage, NOW } from '../../suite/fixtures.ts'
import { newCall, newWebhook, queueCalls, subscribed } from '../../suite/premium-fixtures.ts'
import { databaseForNodes, type Node } from './testing.ts'

let here: Awaited<ReturnType<typeof databaseForNodes>>
let nodes: Node[]

beforeAll(async () => {
  here = await databaseForNodes()
  // All at once, so that their migrations overlap.
  nodes = await Promise.all([here.node(), here.node(), here.node()])
})

afterAll(() => here.drop())

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const nodeOf = (index: number): Node['store'] => nodes[index % nodes.length]!.store

test('gives a name to one of many nodes that claim it at once', async () => {
  for (const nameKey of times(10, key)) {
    const rivals = times(12, () => newAddress({ nameKey }))
    const answers = await Promise.all(rivals.map((each, i) => nodeOf(i).addresses.claim(each, NOW)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    const alive = await Promise.all(rivals.map(({ id }, i) => nodeOf(i + 1).addresses.find(id, NOW)))
    expect(alive.map(Boolean)).toEqual(answers)
  }
})

test('reserves the name of a deleted address on every node, and then gives it to one of them', async () => {
  const { id, nameKey } = await claimed(nodeOf(0))
  await nodeOf(1).addresses.remove(id, NOW + DAY)
  const early = await Promise.all(times(6, (i) => nodeOf(i).addresses.claim(newAddress({ nameKey }), NOW + DAY - 1)))
  expect(early).toEqual(early.map(() => false))
  const late = await Promise.all(times(9, (i) => nodeOf(i).addresses.claim(newAddress({ nameKey }), NOW + DAY)))
  expect(late.filter(Boolean)).toHaveLength(1)
})

test('gives every change of an inbox a different revision across all nodes', async () => {
  const { id } = await claimed(nodeOf(0))
  const batches = times(30, () => times(5, () => newMessage(id)))
  await Promise.all(batches.map((batch, i) => appendAll(nodeOf(i).messages, batch)))
  const rows = await nodeOf(0).messages.list(id, { now: NOW, limit: 150 })
  const [kept, seen, gone] = [rows.slice(0, 50), rows.slice(50, 100), rows.slice(100)]
  await Promise.all([
    ...kept.map((each, i) => nodeOf(i).messages.attachSummaries([{ ...each, sealedSummary: new Uint8Array(9) }])),
    ...seen.map((each, i) => nodeOf(i).messages.mark(id, each.id, { seen: true })),
    ...gone.map((each, i) => nodeOf(i).messages.remove(id, each.id)),
  ])
  const changes = await nodeOf(0).messages.changes(id, 0, NOW)
  const revisions = [...changes.messages, ...changes.deleted].map(({ revision }) => revision)
  expect(new Set(revisions).size).toBe(150)
  const row = await nodeOf(1).addresses.find(id, NOW)
  expect(row).toMatchObject({ revision: 300, usedBytes: 100_000 })
  expect(Math.max(...revisions)).toBe(300)
})

test('orders the ids of an inbox by commit, so that no later message is missed', async () => {
  const { id } = await claimed(nodeOf(0))
  const seen: string[] = []
  let done = false
  const reader = (async () => {
    while (!done) {
      const rows = await nodeOf(2).messages.list(id, { now: NOW, limit: 1000, after: seen.at(-1) })
      seen.push(...rows.map((row) => row.id).toReversed())
    }
  })()
  // The clock of the first node is ahead.
  const batches = times(40, () => times(3, () => newMessage(id))).toReversed()
  await Promise.all(batches.map((batch, i) => appendAll(nodeOf(i).messages, batch)))
  done = true
  await reader
  const all = await nodeOf(1).messages.list(id, { now: NOW, limit: 1000 })
  expect(all).toHaveLength(120)
  expect(seen).toEqual(
    all
      .map((row) => row.id)
      .toReversed()
      .slice(0, seen.length),
  )
  expect(await nodeOf(1).messages.list(id, { now: NOW, limit: 1000, after: seen.at(-1) })).toHaveLength(
    120 - seen.length,
  )
})

test('frees the bytes of a message once when all nodes remove it', async () => {
  const { id } = await claimed(nodeOf(0))
  const messages = times(20, () => newMessage(id))
  await nodeOf(0).messages.append([...messages, newMessage(id)])
  const answers = await Promise.all(messages.flatMap((each) => times(3, (i) => nodeOf(i).messages.remove(id, each.id))))
  expect(answers.filter((revision) => revision !== undefined)).toHaveLength(20)
  expect((await nodeOf(1).addresses.find(id, NOW))?.usedBytes).toBe(1000)
})

test('never deadlocks on batches for many inboxes, and keeps their limits', async () => {
  const ids = await Promise.all(times(20, async (i) => (await claimed(nodeOf(i))).id))
  const groups = times(60, (i) =>
    times(40, (j) => newMessage(ids[(i % 2 === 0 ? j : 40 - j) % ids.length]!, { limitBytes: 50_000 })),
  )
  const outcomes = await Promise.all(groups.map((group, i) => appendAll(nodeOf(i).messages, group)))
  expect(outcomes.flat().filter((outcome) => outcome === 'stored')).toHaveLength(20 * 50)
  const rows = await Promise.all(ids.map((id) => nodeOf(0).addresses.find(id, NOW)))
  expect(rows.every((row) => row?.usedBytes === 50_000 && row.revision === 50)).toBe(true)
})

test('either removes or rejects messages when another node deletes their address', async () => {
  const addresses = await Promise.all(times(20, (i) => claimed(nodeOf(i))))
  await Promise.all(
    addresses.flatMap(({ id }, i) => [
      nodeOf(i).messages.append([newMessage(id)]),
      nodeOf(i + 1).addresses.remove(id, NOW + DAY),
      nodeOf(i + 2).messages.append([newMessage(id)]),
    ]),
  )
  const left = await Promise.all(addresses.map(({ id }) => nodeOf(0).messages.list(id, { now: NOW, limit: 10 })))
  expect(left.flat()).toEqual([])
})

test('counts expired messages once while all nodes sweep', async () => {
  const { id } = await claimed(nodeOf(0))
  const early = times(100, (i) => newMessage(id, { expiresAt: NOW + HOUR + i }))
  await nodeOf(0).messages.append([...early, newMessage(id)])
  const sweep = async (i: number): Promise<void> => {
    for (;;) {
      const { removed } = await nodeOf(i).messages.removeExpired(NOW + 2 * HOUR, 7)
      if (removed === 0) return
    }
  }
  await Promise.all([sweep(0), sweep(1), sweep(2)])
  expect((await nodeOf(0).addresses.find(id, NOW))?.usedBytes).toBe(1000)
  const { deleted } = await nodeOf(0).messages.changes(id, 0, NOW + 2 * HOUR)
  expect(new Set(deleted.map((each) => each.id))).toEqual(new Set(early.map((each) => each.id)))
  expect(deleted).toHaveLength(100)
})

test('keeps the quota of API keys across all nodes', async () => {
  for (const max of times(10, (i) => i + 1)) {
    const { id } = await subscribed(nodeOf(0))
    const quota = { subscriptionId: id, max }
    const answers = await Promise.all(times(30, (i) => nodeOf(i).addresses.claim(newAddress({ quota }), NOW)))
    expect(answers.filter(Boolean)).toHaveLength(max)
    expect(await nodeOf(1).addresses.ofKeys(id, NOW)).toHaveLength(max)
  }
})

test('leases different webhook calls to all nodes', async () => {
  const { id } = await subscribed(nodeOf(0))
  const hosts = times(10, () => newWebhook(id))
  for (const host of hosts) await nodeOf(0).webhooks.add(host, 10)
  const queued = hosts.map((host) => newCall(host.id))
  await queueCalls(nodeOf(0), queued, 1)
  const rules = { limit: 4, except: [] }
  const taken = await Promise.all(times(12, (i) => nodeOf(i).webhookCalls.take(NOW, NOW + DAY, rules)))
  const rest = await nodeOf(1).webhookCalls.take(NOW, NOW + DAY, { ...rules, limit: 10 })
  const all = [...taken.flat(), ...rest].map((each) => each.id)
  expect(all.toSorted()).toEqual(queued.map((each) => each.id).toSorted())
})

/** Runs `work` while another transaction changes the rows, and commits when `work` waits for it. */
async function whileChanging<Result>(change: string, work: () => Promise<Result>): Promise<Result> {
  const other = new Client({ connectionString: here.url })
  await other.connect()
  try {
    await other.query('begin')
    await other.query(change)
    const running = work()
    const waiting = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(() => runSql(here.url, waiting)).toEqual([{ count: 1 }])
    await other.query('commit')
    return await running
  } finally {
    await other.end()
  }
}

test('keeps a name that another node takes again while the sweep forgets it', async () => {
  // Over before any other name of this file.
  const heldUntil = NOW + 1
  const { id, nameKey } = await claimed(nodeOf(0), { heldUntil })
  const again = `update names set held_until = ${heldUntil + DAY} where address_id = '${id}'`
  expect(await whileChanging(again, () => nodeOf(1).addresses.forgetNames(heldUntil, 10))).toBe(0)
  expect(await nodeOf(0).addresses.findRecipients([nameKey], NOW)).toMatchObject([{ id }])
})

test('keeps a delivery that another node extends while the sweep removes it', async () => {
  const { id: addressId } = await claimed(nodeOf(0))
  const delivery = { addressId, id: key(), expiresAt: NOW + HOUR, sealedDelivery: new Uint8Array(9) }
  await nodeOf(0).deliveries.put([delivery], NOW)
  const again = `update deliveries set expires_at = ${NOW + DAY}`
  expect(await whileChanging(again, () => nodeOf(1).deliveries.removeExpired(NOW + HOUR, 10))).toBe(0)
})
