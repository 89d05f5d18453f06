import { afterEach, expect, inject, test, vi } from 'vitest'
import { PATIENCE } from '#test/support/program/patience.ts'
import { newDatabase, runSql } from '#test/support/program/postgres.ts'
import { createLeader } from './leader.ts'
import { defaults } from './testing.ts'

const cleanups: (() => Promise<void> | undefined)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function open(count: number) {
  const { url, drop } = await newDatabase(inject('postgres'))
  cleanups.push(drop)
  const leaders = Array.from({ length: count }, () => createLeader({ ...defaults, url }, defaults.onTrouble))
  cleanups.push(...leaders.map((leader) => () => leader.close()))
  return { url, leaders }
}

/** Ends the connection that holds the lock. */
const endLeader = (url: string) =>
  runSql(
    url,
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`,
  )

test('makes one of many nodes the leader, and keeps it', async () => {
  const { leaders } = await open(4)
  const answers = await Promise.all(leaders.map((leader) => leader.has()))
  expect(answers.filter(Boolean)).toHaveLength(1)
  expect(await Promise.all(leaders.map((leader) => leader.has()))).toEqual(answers)
})

test('makes the next node the leader when the leader dies or closes', async () => {
  const { url, leaders } = await open(3)
  const [first, second, third] = leaders
  expect(await first!.has()).toBe(true)
  expect(await second!.has()).toBe(false)
  await endLeader(url)
  await vi.waitFor(async () => expect(await second!.has()).toBe(true), PATIENCE)
  // The former leader knows that it is no longer the leader.
  expect(await first!.has()).toBe(false)
  await second!.close()
  await vi.waitFor(async () => expect(await third!.has()).toBe(true), PATIENCE)
})

test('gives several callers of one node the same answer, also after its connection ended', async () => {
  const { url, leaders } = await open(1)
  const [leader] = leaders
  const askFive = () => Promise.all(Array.from({ length: 5 }, () => leader!.has()))
  expect(await askFive()).toEqual(Array(5).fill(true))
  await endLeader(url)
  expect(new Set(await askFive()).size).toBe(1)
  // The server may not have released the lock yet.
  await vi.waitFor(async () => expect(await askFive()).toEqual(Array(5).fill(true)), PATIENCE)
})

test('asks on one connection per node, whether it leads or not', async () => {
  const { url, leaders } = await open(3)
  const ask = async () => {
    for (const leader of leaders) await leader.has()
    return runSql(
      url,
      "select pid from pg_stat_activity where application_name like 'mayfly %' and datname = current_database() order by pid",
    )
  }
  const sessions = await ask()
  expect(sessions).toHaveLength(3)
  expect(await ask()).toEqual(sessions)
})

test('makes no node the leader without a database', async () => {
  const leader = createLeader({ ...defaults, url: 'postgres://nobody:x@127.0.0.1:1/none' }, defaults.onTrouble)
  expect(await leader.has()).toBe(false)
})

test('closes while a check fails', async () => {
  const leader = createLeader({ ...defaults, url: 'no URL' }, defaults.onTrouble)
  const asked = leader.has()
  await Promise.all([expect(asked).rejects.toThrow(), expect(leader.close()).resolves.toBeUndefined()])
})

test.each([
  [55_000, true],
  [-55_000, true],
  [65_000, false],
  [-65_000, false],
])('decides for a node whose clock is %i ms off: %s', async (skew, has) => {
  const { url, leaders } = await open(1)
  const trouble = vi.fn()
  const leader = createLeader({ ...defaults, url }, trouble, () => Date.now() + skew)
  cleanups.push(() => leader.close())
  expect(await leader.has()).toBe(has)
  expect(await leader.has()).toBe(has)
  expect(trouble).toHaveBeenCalledTimes(has ? 0 : 1)
  const ready = leader.ensureClock().then(
    () => true,
    () => false,
  )
  expect(await ready).toBe(has)
  expect(await leaders[0]!.has()).toBe(!has)
})

test('makes another node the leader when the clock of the leader deviates', async () => {
  const { url, leaders } = await open(1)
  let skew = 0
  const leader = createLeader({ ...defaults, url }, vi.fn(), () => Date.now() + skew)
  cleanups.push(() => leader.close())
  expect(await leader.has()).toBe(true)
  skew = 86_400_000
  expect(await leader.has()).toBe(false)
  await vi.waitFor(async () => expect(await leaders[0]!.has()).toBe(true), PATIENCE)
})

test('a node is not ready as long as its clock deviates', async () => {
  const { url } = await open(0)
  let skew = -120_000
  const leader = createLeader({ ...defaults, url }, vi.fn(), () => Date.now() + skew)
  cleanups.push(() => leader.close())
  // The first comparison is made before the node is ready.
  await expect(leader.ensureClock()).rejects.toMatchObject({ code: 'store_unavailable' })
  await expect(leader.ensureClock()).rejects.toMatchObject({ code: 'store_unavailable' })
  skew = 0
  await leader.has()
  await leader.ensureClock()
})

test('a comparison counts no longer if the database can’t be reached', async () => {
  const { url } = await open(0)
  const connection = { ...defaults, url }
  const leader = createLeader(connection, vi.fn(), () => Date.now() + 120_000)
  cleanups.push(() => leader.close())
  await leader.has()
  await expect(leader.ensureClock()).rejects.toMatchObject({ code: 'store_unavailable' })
  connection.url = 'postgres://nobody:x@127.0.0.1:1/none'
  expect(await leader.has()).toBe(false)
  await leader.ensureClock()
})
