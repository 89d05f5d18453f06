import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR, DAY } from '#core/time.ts'
import { runSql } from '#test/support/program/postgres.ts'
import { appendAll, claimed, key, newMessage, NOW } from '../../suite/fixtures.ts'
import { ANY, ask, forwarded, newForwarded, newForwarding, TERMS } from '../../suite/forwarding-fixtures.ts'
import { databaseForNodes, type Node } from './testing.ts'

let here: Awaited<ReturnType<typeof databaseForNodes>>
let nodes: Node[]

beforeAll(async () => {
  here = await databaseForNodes()
  nodes = await Promise.all([here.node(), here.node(), here.node()])
})

afterAll(() => here.drop())

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const nodeOf = (index: number): Node['store'] => nodes[index % nodes.length]!.store
const mails = () => runSql(here.url, 'select count(*)::int as count from forwarding_mails')

test('sends one open request and three a day to a destination, across all nodes', async () => {
  for (const destinationKey of times(5, key)) {
    const round = async (now: number): Promise<string[]> => {
      const addresses = await Promise.all(times(9, (i) => claimed(nodeOf(i))))
      const rows = addresses.map(({ id }) => newForwarding(id, { destinationKey }))
      const answers = await Promise.all(rows.map((row, i) => ask(nodeOf(i), row, now)))
      const requested = rows[answers.indexOf('asked')]
      if (requested) await nodeOf(0).forwardings.end(requested.id, 'stopped', now)
      return answers.filter((each) => each !== 'silent')
    }
    const rounds = []
    for (const minute of [0, 1, 2, 3]) rounds.push(await round(NOW + minute))
    expect(rounds).toEqual([['asked'], ['asked'], ['asked'], []])
  }
})

test('keeps the destination limit of an address across all nodes', async () => {
  for (const destinations of times(5, (i) => i + 1)) {
    const { id } = await claimed(nodeOf(0))
    const rows = times(12, () => newForwarding(id))
    const answers = await Promise.all(rows.map((row, i) => ask(nodeOf(i), row, NOW, { destinations })))
    expect(answers.filter((each) => each === 'asked')).toHaveLength(destinations)
    expect(await nodeOf(1).forwardings.list(id)).toHaveLength(destinations)
  }
})

test('accepts a link once across all nodes, and never after a refusal', async () => {
  for (const row of await Promise.all(times(8, async (i) => newForwarding((await claimed(nodeOf(i))).id)))) {
    await ask(nodeOf(0), row)
    const [confirmed] = await Promise.all([
      Promise.all(times(6, (i) => nodeOf(i).forwardings.confirm(row.tokenHash, TERMS, NOW))),
      nodeOf(1).forwardings.refuse(row.destinationKey, NOW),
    ])
    expect(confirmed.filter(Boolean).length).toBeLessThanOrEqual(1)
    expect(await nodeOf(2).forwardings.find(row.id)).toMatchObject({ state: 'ended', end: 'declined' })
  }
})

/** Creates an address that forwards to three destinations, with 30 messages queued for each. */
async function queued() {
  const { id } = await claimed(nodeOf(0))
  const rows = [await forwarded(nodeOf(0), id), await forwarded(nodeOf(1), id), await forwarded(nodeOf(2), id)] as const
  const messages = times(30, () => newForwarded(rows))
  await Promise.all(times(3, (i) => appendAll(nodeOf(i).messages, messages.slice(i * 10, i * 10 + 10))))
  return { id }
}

test('finishes every job exactly once across all nodes', async () => {
  const { id } = await queued()
  const seen: string[] = []
  const work = async (i: number): Promise<void> => {
    const { take, finish, waiting } = nodeOf(i).forwardingJobs
    while ((await waiting()) > 0) {
      const taken = await take(NOW, NOW + HOUR, ANY)
      seen.push(...taken.map((job) => job.id))
      await Promise.all(taken.map((job) => finish(job, 'sent', NOW)))
    }
  }
  await Promise.all([work(0), work(1), work(2)])
  const log = await nodeOf(0).forwardingJobs.log(id, { limit: 100 })
  expect(seen.toSorted()).toEqual(log.map((each) => each.id).toSorted())
  expect(seen).toHaveLength(90)
  expect(await mails()).toEqual([{ count: 0 }])
})

test('removes a sealed message when its jobs finish on several nodes at once', async () => {
  for (const _ of times(3, () => 0)) {
    await queued()
    const all = []
    while (all.length < 90) all.push(...(await nodeOf(0).forwardingJobs.take(NOW, NOW + HOUR, ANY)))
    // The jobs of one message run in parallel.
    const jobs = all.toSorted((one, other) => (one.messageId < other.messageId ? -1 : 1))
    await Promise.all(jobs.map((job, i) => nodeOf(i).forwardingJobs.finish(job, 'sent', NOW)))
    expect(await nodeOf(0).forwardingJobs.waiting()).toBe(0)
    expect(await mails()).toEqual([{ count: 0 }])
  }
})

test('keeps the hourly limit of a destination across all nodes', async () => {
  for (const destinationKey of times(5, key)) {
    const limits = { perHour: 10, perDay: 14 }
    const reserve = (hours: number) =>
      Promise.all(times(30, (i) => nodeOf(i).forwardingJobs.reserve(destinationKey, NOW + hours * HOUR, limits)))
    expect((await reserve(0)).filter(Boolean)).toHaveLength(10)
    expect((await reserve(1)).filter(Boolean)).toHaveLength(4)
  }
})

test('leaves nothing behind when an address is deleted on another node while messages are queued', async () => {
  const created = await Promise.all(
    times(10, async (i) => [await forwarded(nodeOf(i), (await claimed(nodeOf(i))).id)] as const),
  )
  await Promise.all(
    created.flatMap((rows, i) => [
      nodeOf(i).messages.append([newForwarded(rows), newMessage(rows[0].addressId)]),
      nodeOf(i + 1).addresses.remove(rows[0].addressId, NOW + DAY),
      nodeOf(i + 2).messages.append([newForwarded(rows)]),
      ask(nodeOf(i), newForwarding(rows[0].addressId)),
    ]),
  )
  expect(await nodeOf(0).forwardingJobs.waiting()).toBe(0)
  expect(await mails()).toEqual([{ count: 0 }])
  const lists = await Promise.all(created.map(([{ addressId }]) => nodeOf(0).forwardings.list(addressId)))
  expect(lists.flat()).toEqual([])
})
