import { afterEach, expect, inject, test } from 'vitest'
import { newDatabase, runSql } from '#test/support/program/postgres.ts'
import { startProgram } from '#test/support/program/program.ts'
import { type Durability, risksOf } from './durability.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const SAFE: Durability = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: '',
}

test.each<[Partial<Durability>, string[]]>([
  [{}, []],
  [{ synchronous_commit: 'remote_apply', synchronous_standby_names: 'other' }, []],
  [{ synchronous_commit: 'local' }, []],
  [{ synchronous_commit: 'local', synchronous_standby_names: 'other' }, ['synchronous_commit is local']],
  [{ synchronous_commit: 'off' }, ['synchronous_commit is off']],
  [{ fsync: 'off' }, ['fsync is off']],
  [{ full_page_writes: 'off' }, ['full_page_writes is off']],
  [{ fsync: 'off', synchronous_commit: 'off' }, ['fsync is off', 'synchronous_commit is off']],
])('reports for %j the risks %j', (settings, expected) => {
  expect(risksOf({ ...SAFE, ...settings }).map((risk) => risk.split(':')[0])).toEqual(expected)
})

test.each(['off', 'on'])('warns at startup only if synchronous_commit is off: %s', async (value) => {
  const { url, drop } = await newDatabase(inject('postgres'))
  cleanups.push(drop)
  const name = new URL(url).pathname.slice(1)
  await runSql(url, `alter database ${name} set synchronous_commit = ${value}`)
  const program = await startProgram({ env: { MAYFLY_DATABASE_URL: url } })
  cleanups.push(() => program.stop())
  const warnings = program.stderr.filter(
    (line) => line.includes('"level":"warn"') && line.includes('synchronous_commit'),
  )
  expect(warnings).toHaveLength(value === 'off' ? 1 : 0)
})
