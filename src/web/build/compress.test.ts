import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compress } from './compress.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mayfly-compress-'))
  await mkdir(join(root, 'client/assets'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

const path = (name: string): string => join(root, 'client', name)
const build = () => compress(join(root, 'client'), join(root, 'cache'))
const contents = async (name: string): Promise<string[]> => [
  brotliDecompressSync(await readFile(path(`${name}.br`))).toString(),
  gunzipSync(await readFile(path(`${name}.gz`))).toString(),
]

test('writes both copies beside each text, and none beside other files', async () => {
  await writeFile(path('assets/a.js'), 'one')
  await writeFile(path('a.json'), 'two')
  await writeFile(path('a.png'), 'three')
  await build()
  expect(await contents('assets/a.js')).toEqual(['one', 'one'])
  expect(await contents('a.json')).toEqual(['two', 'two'])
  expect((await readdir(path('.'))).toSorted()).toEqual(['a.json', 'a.json.br', 'a.json.gz', 'a.png', 'assets'])
})

test('takes the copies of the last build only for the same content, and removes the others', async () => {
  await writeFile(path('a.js'), 'same')
  await writeFile(path('b.js'), 'before')
  await build()
  const kept = await readdir(join(root, 'cache'))
  expect(kept).toHaveLength(4)
  // Marks what comes from the cache.
  for (const name of kept) await writeFile(join(root, 'cache', name), 'cached')
  await writeFile(path('b.js'), 'after')
  await build()
  expect(String(await readFile(path('a.js.br')))).toBe('cached')
  expect(await contents('b.js')).toEqual(['after', 'after'])
  expect(await readdir(join(root, 'cache'))).toHaveLength(4)
})
