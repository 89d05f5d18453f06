import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createInPlace, identityAt, identityOf, MovedError } from './in-place.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mayfly-in-place-'))
  path = join(directory, 'mayfly.db')
  writeFileSync(path, '')
})
afterEach(() => rmSync(directory, { recursive: true }))

test('returns the identity of an open file, and none for a missing one', () => {
  expect(identityAt(path)).toBe(identityOf(statSync(path, { bigint: true })))
  expect(identityAt(join(directory, 'none'))).toBe('')
})

test('accepts unchanged files, even if the database grows and the WAL is truncated', () => {
  for (const end of ['-wal', '-shm']) writeFileSync(path + end, 'x')
  const ensure = createInPlace(path, identityAt(path))
  ensure()
  writeFileSync(path, 'pages')
  ensure()
  truncateSync(`${path}-wal`)
  ensure()
})

test.each(['', '-wal', '-shm'])('rejects a removed or replaced mayfly.db%s until it is back', (end) => {
  for (const each of ['', '-wal', '-shm']) writeFileSync(path + each, 'x')
  const ensure = createInPlace(path, identityAt(path))
  ensure()
  renameSync(path + end, `${path}.aside`)
  expect(ensure).toThrow(MovedError)
  copyFileSync(`${path}.aside`, path + end)
  expect(ensure).toThrow(`${path}${end} was removed, replaced or emptied`)
  renameSync(`${path}.aside`, path + end)
  ensure()
})

test('rejects a truncated database', () => {
  writeFileSync(path, 'pages')
  const ensure = createInPlace(path, identityAt(path))
  ensure()
  truncateSync(path)
  expect(ensure).toThrow(MovedError)
  expect(ensure).toThrow(MovedError)
})
