import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Cluster } from './cluster.ts'

const FROZEN = 30_000

let cluster: Cluster

beforeAll(async () => {
  cluster = await Cluster.start({ MAYFLY_DATABASE_CONNECT_SECONDS: '2', MAYFLY_DATABASE_STATEMENT_SECONDS: '2' })
})

afterAll(() => cluster.stop())

test('loses no message and stores none twice when the database is frozen for 30 s under load', async () => {
  const sender = cluster.load('freeze')
  await sender.underWay()
  await cluster.isCommitting()
  await cluster.database.signal('SIGSTOP')
  const frozen = performance.now()
  await setTimeout(FROZEN)
  await cluster.database.signal('SIGCONT')
  const thawed = performance.now()
  await sender.gets(250, { since: thawed })
  await sender.stop()
  expect(sender.codes).toEqual([250, 451])
  expect(sender.lost).toBe(0)
  await sender.gets(451, { since: frozen, within: 0 })
  await cluster.isConsistent()
})
