import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { runSql } from '../support/program/postgres.ts'
import { Cluster } from './cluster.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await Cluster.start({
    MAYFLY_DATABASE_CONNECT_SECONDS: '5',
    MAYFLY_DATABASE_STATEMENT_SECONDS: '5',
    // With a heartbeat, a stream asks the database, and it ends if that fails. No heartbeat during the outage.
    MAYFLY_STREAM_KEEPALIVE_SECONDS: '600',
  })
})

afterEach(() => cluster.proxies.forEach((proxy) => proxy.heal()))

afterAll(() => cluster.stop())

const failures = ['cut', 'stall'] as const

/** How often the first node has noticed that it gets no events of the others. */
const noticed = (): number =>
  cluster.nodes[0]?.stderr.filter((line) => line.includes('Events of other nodes wait')).length ?? 0

/** Resolves when the work after each message (summary, sender check) is done and no more notifications are sent. */
async function quiet(): Promise<void> {
  let last: unknown
  const isStill = async (): Promise<boolean> => {
    const [before, [row]] = [last, await runSql(cluster.database.url(), 'select sum(revision) from addresses')]
    return (last = row?.sum) === before
  }
  await expect.poll(isStill, { interval: 300 }).toBe(true)
}

test.each(failures)('%s: open pages of one node show the messages of other nodes afterwards', async (failure) => {
  const { visitors, nodes, proxies } = cluster
  await expect.poll(() => visitors.every(({ live }) => live)).toBe(true)
  const here = visitors.filter(({ node }) => node === 0)
  expect(here.length).toBeGreaterThan(0)
  const begun = here.map((visitor) => visitor.begun)
  const before = noticed()
  proxies[0]?.[failure]()
  await expect.poll(noticed).toBe(before + 1)
  const sender = cluster.load(`page${failure}`, nodes.slice(1))
  await sender.gets(250, { since: performance.now() })
  await sender.stop()
  expect(sender.codes).toEqual([250])
  await quiet()
  proxies[0]?.heal()
  // On the same streams, and no later event triggers the update.
  const due = here.map(({ address }) => cluster.ledger.count('acknowledged', address))
  await expect.poll(() => here.map(({ shown }) => shown.size)).toEqual(due)
  expect(here.map((visitor) => visitor.begun)).toEqual(begun)
  await cluster.isConsistent()
})

test.each(failures)('%s: connections of all nodes to the database', async (failure) => {
  const sender = cluster.load(`all${failure}`)
  await sender.underWay()
  await cluster.isCommitting()
  const begun = performance.now()
  for (const proxy of cluster.proxies) proxy[failure]()
  await sender.gets(451, { since: begun, within: PATIENCE })
  for (const proxy of cluster.proxies) proxy.heal()
  await sender.gets(250, { since: performance.now() })
  await sender.stop()
  expect(sender.codes).toEqual([250, 451])
  expect(sender.lost).toBe(0)
  await cluster.isConsistent()
})

test.each(failures)('%s: connections of one node to the database, while the others continue', async (failure) => {
  const sender = cluster.load(`one${failure}`)
  await sender.underWay()
  await cluster.isCommitting()
  const begun = performance.now()
  cluster.proxies[0]?.[failure]()
  await sender.gets(451, { from: [0], since: begun, within: PATIENCE })
  await sender.gets(250, { from: [1, 2], since: performance.now() })
  // Before it is healed: no later message may trigger an update about removed messages.
  await sender.stop()
  expect(sender.codes).toEqual([250, 451])
  expect(sender.lost).toBe(0)
  await quiet()
  cluster.proxies[0]?.heal()
  await cluster.isConsistent()

  const after = cluster.load(`one${failure}ed`)
  await after.gets(250, { since: performance.now() })
  await after.stop()
  expect(after.codes).toEqual([250])
  await cluster.isConsistent()
})

test('loses no message and stores none twice when the database is frozen under load for longer than its timeouts', async () => {
  const sender = cluster.load('freeze')
  await sender.underWay()
  await cluster.isCommitting()
  const frozen = performance.now()
  await cluster.database.signal('SIGSTOP')
  try {
    await sender.gets(451, { since: frozen })
    // Messages that came while it was frozen time out as well.
    await sender.gets(451, { since: performance.now() })
  } finally {
    await cluster.database.signal('SIGCONT')
  }
  await sender.gets(250, { since: performance.now() })
  await sender.stop()
  expect(sender.codes).toEqual([250, 451])
  expect(sender.lost).toBe(0)
  await cluster.isConsistent()
})
