import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeDurably } from './write-durably.ts'

const root = mkdtempSync(join(tmpdir(), 'mayfly-durable-'))
const file = join(root, 'a.txt')
afterAll(() => rmSync(root, { recursive: true }))

test('writes a file with mode 0600 and leaves nothing beside it', async () => {
  await writeDurably(file, [Buffer.from('one '), Buffer.from('two')])
  expect(readFileSync(file, 'utf8')).toBe('one two')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(root)).toEqual(['a.txt'])
})

test('replaces an existing file unless `exclusive` is set', async () => {
  await writeDurably(file, 'new')
  await expect(writeDurably(file, 'newer', { exclusive: true })).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(readdirSync(root)).toEqual(['a.txt'])
})

test('lets one of two concurrent writers win, with its complete content', async () => {
  const made = join(root, 'b.txt')
  const contents = ['x', 'y'].map((letter) => letter.repeat(100_000))
  const outcomes = await Promise.allSettled(contents.map((each) => writeDurably(made, each, { exclusive: true })))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(contents).toContain(readFileSync(made, 'utf8'))
})

test('leaves nothing behind after a failure', async () => {
  writeFileSync(join(root, 'none'), '')
  await expect(writeDurably(join(root, 'none/c.txt'), 'c')).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(writeDurably(root, 'c')).rejects.toMatchObject({ code: 'EISDIR' })
  expect(readdirSync(root).toSorted()).toEqual(['a.txt', 'b.txt', 'none'])
})
