import { buffer as bytesOf } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { zip, type ZipEntry } from './zip.ts'

const TIME = new Date(2026, 5, 1, 12, 30, 20).getTime()
const entry = (i: number, content = `content of ${i}`): ZipEntry => ({
  name: `mail/ann@mayfly.test/${i}.eml`,
  time: TIME,
  content: Buffer.from(content),
})

async function* counted(count: number, read: { count: number }): AsyncGenerator<ZipEntry> {
  for (let i = 0; i < count; i++) {
    read.count++
    yield entry(i)
  }
}

const texts = (archive: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(archive)).map(([name, content]) => [name, Buffer.from(content).toString()]),
  )

test('holds each entry under its name', async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield entry(1, '')
    yield entry(2, 'ünïcode'.repeat(10_000))
    yield { ...entry(3), name: '邮件/Ü.eml' }
  }
  const archive = await bytesOf(zip(entries()))
  expect(texts(archive)).toEqual({
    'mail/ann@mayfly.test/1.eml': '',
    'mail/ann@mayfly.test/2.eml': 'ünïcode'.repeat(10_000),
    '邮件/Ü.eml': 'content of 3',
  })
  expect(archive.length).toBeLessThan(2000)
  expect(texts(await bytesOf(zip(counted(0, { count: 0 }))))).toEqual({})
})

test.each([
  [4, 4, []],
  [5, 4, [1]],
  [12, 4, [4, 4]],
  [13, 4, [4, 4, 1]],
])('%i entries, with a maximum of %i, make parts of %j entries', async (count, max, parts) => {
  const { entries, nested } = split(unzipSync(await bytesOf(zip(counted(count, { count: 0 }), max))))
  expect(nested.map((each) => Object.keys(each).length)).toEqual(parts)
  const all = Object.assign({}, entries, ...nested) as Record<string, string>
  expect(all).toEqual(Object.fromEntries(Array.from({ length: count }, (_, i) => [entry(i).name, `content of ${i}`])))
})

function split(all: Record<string, Uint8Array>) {
  const isPart = (name: string): boolean => /^part-\d+\.zip$/.test(name)
  const names = Object.keys(all)
  return {
    entries: Object.fromEntries(
      names.filter((name) => !isPart(name)).map((name) => [name, Buffer.from(all[name]!).toString()]),
    ),
    nested: names.filter(isPart).map((name) => texts(all[name]!)),
  }
}

test('reads entries only as the archive is read, and stops when it is no longer read', async () => {
  const read = { count: 0 }
  const chunks = zip(counted(1000, read), 5)
  for (let i = 0; i < 20; i++) await chunks.next()
  expect(read.count).toBeLessThan(20)
  const countAtReturn = read.count
  await chunks.return(undefined)
  expect(await chunks.next()).toMatchObject({ done: true })
  expect(read.count).toBe(countAtReturn)
})

test('rejects if an entry cannot be read', async () => {
  async function* broken(): AsyncGenerator<ZipEntry> {
    yield entry(1)
    throw new Error('the disk')
  }
  await expect(bytesOf(zip(broken()))).rejects.toThrow('the disk')
})

test('keeps no content in memory that was already read', { tags: ['slow'] }, async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const externalBytes = async (): Promise<number> => {
    gc()
    // The memory of buffers is freed in the background.
    await setTimeout(100)
    gc()
    return process.memoryUsage().external
  }
  let growth = 0
  async function* entries(): AsyncGenerator<ZipEntry> {
    const before = await externalBytes()
    for (let i = 0; i < 2000; i++) yield entry(i, 'x'.repeat(20_000))
    growth = (await externalBytes()) - before
  }
  for await (const _ of zip(entries()));
  // All contents are 40 MB.
  expect(growth).toBeLessThan(10_000_000)
})
