import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from './fingerprint.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'mayfly-fingerprint-'))
})
afterEach(() => rm(parent, { recursive: true }))

async function checkout(name: string, files: Record<string, string>): Promise<string> {
  const root = join(parent, name)
  await mkdir(join(root, 'src/deep'), { recursive: true })
  for (const [path, content] of Object.entries(files)) await writeFile(join(root, path), content)
  return root
}

const idOf = async (name: string, files: Record<string, string>): Promise<string> =>
  fingerprint(await checkout(name, files), ['src', 'a.json'])

const FILES = { 'a.json': '{}', 'src/b.ts': 'b', 'src/deep/c.ts': 'c' }

test('is the same for the same files in another directory, so that nodes of a cluster have the same build', async () => {
  const id = await idOf('mayfly-1', FILES)
  expect(await idOf('a-longer-name', FILES)).toBe(id)
  await rename(join(parent, 'mayfly-1'), join(parent, 'moved'))
  expect(await fingerprint(join(parent, 'moved'), ['src', 'a.json'])).toBe(id)
})

test.each([
  ['a content', { ...FILES, 'src/b.ts': 'B' }],
  ['a name', { 'a.json': '{}', 'src/B.ts': 'b', 'src/deep/c.ts': 'c' }],
  ['a folder', { 'a.json': '{}', 'src/b.ts': 'b', 'src/c.ts': 'c' }],
  ['a file more', { ...FILES, 'src/d.ts': '' }],
])('changes with %s', async (_, files) => {
  expect(await idOf('changed', files)).not.toBe(await idOf('before', FILES))
})
