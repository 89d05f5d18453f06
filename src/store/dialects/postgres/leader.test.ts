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
  const turns = Array.from({ length: count }, () => createLeader({ ...defaults, url }, defaults.onTrouble))
  cleanups.push(...turns.map((turn) => () => turn.close()))
  return { url, turns }
}

test('of all that ask one has the turn, and keeps it', async () => {
  const { turns } = await open(4)
  const answers = await Promise.all(turns.map((turn) => turn.has()))
  expect(answers.filter(Boolean)).toHaveLength(1)
  expect(await Promise.all(turns.map((turn) => turn.has()))).toEqual(answers)
})

test('when its holder dies or ends, the next that asks has it', async () => {
  const { url, turns } = await open(3)
  const [first, second, third] = turns
  expect(await first!.has()).toBe(true)
  expect(await second!.has()).toBe(false)
  await runSql(
    url,
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`,
  )
  await vi.waitFor(async () => expect(await second!.has()).toBe(true), PATIENCE)
  // The one that lost it knows.
  expect(await first!.has()).toBe(false)
  await second!.close()
  await vi.waitFor(async () => expect(await third!.has()).toBe(true), PATIENCE)
})

test('without a database nobody has it', async () => {
  const turn = createLeader({ ...defaults, url: 'postgres://nobody:x@127.0.0.1:1/none' }, defaults.onTrouble)
  expect(await turn.has()).toBe(false)
})

test.each([
  [55_000, true],
  [-55_000, true],
  [65_000, false],
  [-65_000, false],
])('a node whose clock is %i ms off: %s', async (skew, has) => {
  const { url, turns } = await open(1)
  const trouble = vi.fn()
  const turn = createLeader({ ...defaults, url }, trouble, () => Date.now() + skew)
  cleanups.push(() => turn.close())
  expect(await turn.has()).toBe(has)
  expect(await turn.has()).toBe(has)
  expect(trouble).toHaveBeenCalledTimes(has ? 0 : 1)
  expect(await turns[0]!.has()).toBe(!has)
})

test('a node whose clock goes wrong gives the turn to another', async () => {
  const { url, turns } = await open(1)
  let skew = 0
  const turn = createLeader({ ...defaults, url }, vi.fn(), () => Date.now() + skew)
  cleanups.push(() => turn.close())
  expect(await turn.has()).toBe(true)
  skew = 86_400_000
  expect(await turn.has()).toBe(false)
  await vi.waitFor(async () => expect(await turns[0]!.has()).toBe(true), PATIENCE)
})
