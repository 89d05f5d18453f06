import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { Cluster } from './cluster.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await Cluster.start()
})

afterAll(() => cluster.stop())

/** Returns the nodes that are leaders according to their metrics. */
async function withTurn(): Promise<number[]> {
  const nodes = cluster.nodes.map(async ({ metricsUrl, child }, node) => {
    if (child.signalCode !== null) return []
    const metrics = await (await fetch(metricsUrl)).text()
    return metrics.includes('\nmayfly_periodic_work_turn 1\n') ? [node] : []
  })
  return (await Promise.all(nodes)).flat()
}

test('killing and restarting nodes under load loses and duplicates nothing', async () => {
  const sender = cluster.load('kills')
  for (const node of cluster.nodes.keys()) {
    await sender.underWay()
    await sender.isSending(node)
    await cluster.nodes[node]?.stop('SIGKILL')
    await cluster.startNode(node)
  }
  await sender.stop()
  expect(sender.codes).toEqual([250])
  expect(sender.lost).toBeGreaterThan(0)
  await cluster.isConsistent()
})

test('a rolling restart leaves no sender without a reply', async () => {
  const sender = cluster.load('roll')
  for (const node of cluster.nodes.keys()) {
    await sender.underWay()
    await sender.isSending(node)
    expect(await cluster.nodes[node]?.stop()).toBe(0)
    await cluster.startNode(node)
  }
  await sender.stop()
  // Whether a session is open at the moment of a stop, and gets 421, is chance.
  expect(sender.codes.filter((code) => code !== 421)).toEqual([250])
  expect(sender.lost).toBe(0)
  await cluster.isConsistent()
})

test('senders retry and everything continues when the database crashes under load and returns', async () => {
  const sender = cluster.load('restart')
  for (let i = 0; i < 3; i++) {
    await sender.underWay()
    await cluster.isCommitting()
    const stopped = performance.now()
    await cluster.database.stop('immediate')
    await sender.gets(451, { since: stopped })
    await cluster.database.launch()
    await sender.gets(250, { since: performance.now(), within: PATIENCE })
  }
  await sender.stop()
  expect(sender.codes).toEqual([250, 451])
  expect(sender.lost).toBe(0)
  await cluster.isConsistent()
})

test('another node becomes leader after the leader is killed', async () => {
  await vi.waitFor(async () => expect(await withTurn()).toHaveLength(1), PATIENCE)
  const [node = -1] = await withTurn()
  await cluster.nodes[node]?.stop('SIGKILL')
  await vi.waitFor(async () => expect(await withTurn()).toHaveLength(1), PATIENCE)
})
