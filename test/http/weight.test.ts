import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { PARTS } from '#locales/parts.ts'
import { filesOf, type Manifest } from '#web/build/manifest.ts'

const CLIENT = join(import.meta.dirname, '../../dist/client')
/** Counts as bench/weight.ts does. */
const KB = 1024

const weigh = async (path: string): Promise<number> => (await stat(join(CLIENT, `${path}.br`))).size
const under = async (directory: string, ending: string): Promise<string[]> =>
  (await readdir(join(CLIENT, directory))).filter((name) => name.endsWith(ending)).map((name) => `${directory}/${name}`)
const sum = async (paths: string[]): Promise<number> =>
  (await Promise.all(paths.map(weigh))).reduce((total, size) => total + size, 0)

test('the home page loads at most 75.25 KB of JavaScript, whatever the number of languages', async () => {
  const manifest = JSON.parse(await readFile(join(CLIENT, '../server/manifest.json'), 'utf8')) as Manifest
  const files = filesOf(manifest, ['src/web/entry.client.tsx'])
  expect(files.length).toBeGreaterThanOrEqual(2)
  expect(await sum(files)).toBeLessThanOrEqual(75.25 * KB)
})

test('all styles have at most 12.5 KB', async () =>
  expect(await sum(await under('assets', '.css'))).toBeLessThanOrEqual(12.5 * KB))

test('the texts of each language have at most 8 KB', async () => {
  const folders = PARTS.map((part) => (part === 'site' ? 'messages' : `messages/${part}`))
  const files = (await Promise.all(folders.map((folder) => under(folder, '.json')))).flat()
  expect(files).toHaveLength(languages.length * PARTS.length)
  const heavy = await Promise.all(files.map(async (file) => ({ file, size: await weigh(file) })))
  expect(heavy.filter(({ size }) => size > 8 * KB)).toEqual([])
})
