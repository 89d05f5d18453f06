import { afterEach, expect, inject, test, vi } from 'vitest'
import { newDatabase, runSql } from '#test/postgres.ts'
import { defaults } from './testing.ts'
import { createTurn } from './turn.ts'

const cleanups: (() => Promise<void> | undefined)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function open(count: number) {
  const { url, drop } = await newDatabase(inject('postgres'))
  cleanups.push(drop)
  const turns = Array.from({ length: count }, () => createTurn({ ...defaults, url }))
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
  await vi.waitFor(async () => expect(await second!.has()).toBe(true))
  // The one that lost it knows.
  expect(await first!.has()).toBe(false)
  await second!.close()
  await vi.waitFor(async () => expect(await third!.has()).toBe(true))
})

test('without a database nobody has it', async () => {
  const turn = createTurn({ ...defaults, url: 'postgres://nobody:x@127.0.0.1:1/none' })
  expect(await turn.has()).toBe(false)
})
