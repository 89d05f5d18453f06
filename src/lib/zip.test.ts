import { buffer as bytesOf } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { zip, type ZipEntry } from './zip.ts'

const TIME = new Date(2026, 5, 1, 12, 30, 20).getTime()
const entry = (i: number, content = `content of ${i}`): ZipEntry => ({
  name: `mail/ann@mayfly.test/${i}.eml`,
  time: TIME,
  content: Buffer.from(content),
})

async function* counted(count: number, made: { count: number }): AsyncGenerator<ZipEntry> {
  for (let i = 0; i < count; i++) {
    made.count++
    yield entry(i)
  }
}

const texts = (archive: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(archive)).map(([name, content]) => [name, Buffer.from(content).toString()]),
  )

test('holds what is put into it, under its name', async () => {
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
])('%i entries of which %i fit into one are in parts of %j', async (count, max, parts) => {
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

test('no more is made than is read, and what is no longer read is left', async () => {
  const made = { count: 0 }
  const chunks = zip(counted(1000, made), 5)
  for (let i = 0; i < 20; i++) await chunks.next()
  expect(made.count).toBeLessThan(20)
  const sofar = made.count
  await chunks.return(undefined)
  expect(await chunks.next()).toMatchObject({ done: true })
  expect(made.count).toBe(sofar)
})

test('a fault of what is put into it is one of the archive', async () => {
  async function* broken(): AsyncGenerator<ZipEntry> {
    yield entry(1)
    throw new Error('the disk')
  }
  await expect(bytesOf(zip(broken()))).rejects.toThrow('the disk')
})
