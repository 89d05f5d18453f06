import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDirectory, makeWritableDirectory } from './directory.ts'

const root = mkdtempSync(join(tmpdir(), 'mayfly-directory-'))
afterAll(() => rmSync(root, { recursive: true }))

test('creates a directory and its parents with mode 0700', async () => {
  await makeDirectory(join(root, 'a/b/c'))
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700)
})

test('leaves an existing directory unchanged', async () => {
  const path = join(root, 'open')
  mkdirSync(path)
  const { mode } = statSync(path)
  await makeWritableDirectory(path)
  expect(statSync(path).mode).toBe(mode)
})

test('follows a link to a directory', async () => {
  symlinkSync(join(root, 'open'), join(root, 'link'))
  await makeDirectory(join(root, 'link/below'))
  expect(statSync(join(root, 'open/below')).isDirectory()).toBe(true)
})

test.each([
  ['a file', 'file', 'ENOTDIR'],
  ['a path below a file', 'file/a/b', 'ENOTDIR'],
  ['a link to nothing', 'dangling', 'EEXIST'],
])('rejects %s', async (_what, path, code) => {
  writeFileSync(join(root, 'file'), '')
  rmSync(join(root, 'dangling'), { force: true })
  symlinkSync(join(root, 'nothing'), join(root, 'dangling'))
  await expect(makeDirectory(join(root, path))).rejects.toMatchObject({ code })
})

test.each(['/proc/mayfly', '/proc/mayfly/data'])('returns an error for %s instead of hanging', async (path) => {
  await expect(makeDirectory(path)).rejects.toMatchObject({ code: 'ENOENT' })
})
