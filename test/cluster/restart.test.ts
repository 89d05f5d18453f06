import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Cluster } from './cluster.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await Cluster.start()
})

afterAll(() => cluster.stop())

test(
  'a database that falls under load: senders are told to come again, and all goes on within 5 s when it is back',
  { timeout: 90_000 },
  async () => {
    const sender = cluster.load('restart')
    for (let i = 0; i < 5; i++) {
      await sender.heardFromAll(250, performance.now(), 5000)
      const stopped = performance.now()
      await cluster.database.stop('immediate')
      await sender.heardFromAll(451, stopped, 5000)
      await cluster.database.launch()
      await sender.heardFromAll(250, performance.now(), 5000)
    }
    await sender.stop()
    expect(sender.codes).toEqual([250, 451])
    expect(sender.lost).toBe(0)
    await vi.waitFor(async () => expect(await cluster.faults()).toEqual([]), 20_000)
  },
)
