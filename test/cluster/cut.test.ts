import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Cluster } from './cluster.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await Cluster.start({ MAYFLY_DATABASE_CONNECT_SECONDS: '2', MAYFLY_DATABASE_STATEMENT_SECONDS: '2' })
})

afterAll(() => cluster.stop())

const nothingWrong = (): Promise<void> => vi.waitFor(async () => expect(await cluster.faults()).toEqual([]), 20_000)

const ways: ['cut' | 'stall', string][] = [
  ['cut', 'is cut'],
  ['stall', 'takes nothing and says nothing'],
]

test.each(ways)('%s: the way to the database of all nodes', { timeout: 60_000 }, async (way) => {
  const sender = cluster.load(`all${way}`)
  await sender.heardFromAll(250, performance.now(), 5000)
  const begun = performance.now()
  for (const proxy of cluster.proxies) proxy[way]()
  await sender.heardFromAll(451, begun, 10_000)
  for (const proxy of cluster.proxies) proxy.heal()
  await sender.heardFromAll(250, performance.now(), 5000)
  await sender.stop()
  expect(sender.codes).toEqual([250, 451])
  expect(sender.lost).toBe(0)
  await nothingWrong()
})

test.each(ways)('%s: the way of one node, while the others go on', { timeout: 60_000 }, async (way) => {
  const [proxy] = cluster.proxies
  const [node] = cluster.nodes
  const toldOfIt = (): number => node?.stderr.filter((line) => line.includes('Events of other nodes wait')).length ?? 0
  const sender = cluster.load(`one${way}`)
  await sender.heardFromAll(250, performance.now(), 5000)
  const begun = performance.now()
  const before = toldOfIt()
  proxy?.[way]()
  await sender.heardFrom([0], 451, begun, 10_000)
  await expect.poll(toldOfIt, { timeout: 20_000 }).toBe(before + 1)
  await sender.heardFrom([1, 2], 250, performance.now(), 5000)
  // Before it is healed, so that no later mail tells the visitors of this node that there is something to look for.
  await sender.stop()
  expect(sender.codes).toEqual([250, 451])
  expect(sender.lost).toBe(0)
  proxy?.heal()
  await nothingWrong()

  const after = cluster.load(`one${way}ed`)
  await after.heardFromAll(250, performance.now(), 5000)
  await after.stop()
  expect(after.codes).toEqual([250])
  await nothingWrong()
})
