import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { Cluster } from './cluster.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await Cluster.start()
})

afterAll(() => cluster.stop())

test('senders retry and everything continues when the database crashes under load and returns', async () => {
  const sender = cluster.load('restart')
  for (let i = 0; i < 5; i++) {
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
