import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { savedInbox, saveInbox } from './saved-inboxes.ts'

const root = mkdtempSync(join(tmpdir(), 'mayfly-saved-'))
afterAll(() => rmSync(root, { recursive: true }))
let home: string
beforeEach(() => (home = mkdtempSync(join(root, 'home-'))))

const inboxOf = (login: string) => ({
  address: `${login}@mayfly.test`,
  secret: `secret of ${login}`,
  url: 'http://localhost:1',
})
const names = Array.from({ length: 20 }, (_, i) => `a${i}`)

/** Writes the file of earlier builds, newest first. */
function writeEarlier(content: string): void {
  mkdirSync(join(home, '.mayfly'))
  writeFileSync(join(home, '.mayfly/inboxes.json'), content)
}

test('forgets none of the inboxes that are saved at the same time', async () => {
  await Promise.all(names.map((name) => saveInbox(inboxOf(name), home)))
  for (const name of names) expect(await savedInbox(`${name}@MAYFLY.test`, home)).toEqual(inboxOf(name))
})

test('returns the newest inbox, and the newest one of an address', async () => {
  await saveInbox({ ...inboxOf('a'), secret: 'expired' }, home)
  await expect.poll(() => Date.now()).toBeGreaterThan(statSync(join(home, '.mayfly/inboxes')).mtimeMs + 1)
  await saveInbox(inboxOf('a'), home)
  expect(await savedInbox('a@mayfly.test', home)).toEqual(inboxOf('a'))
  expect(await savedInbox(undefined, home)).toEqual(inboxOf('a'))
  await expect(savedInbox('b@mayfly.test', home)).rejects.toThrow('mayfly new did not create b@mayfly.test')
})

test('only the owner can read the files, and no number of newer ones removes one', async () => {
  writeEarlier(JSON.stringify(Array.from({ length: 300 }, (_, i) => inboxOf(`old${i}`))))
  await saveInbox(inboxOf('a'), home)
  const directory = join(home, '.mayfly/inboxes')
  const files = readdirSync(directory)
  expect(files).toHaveLength(301)
  for (const path of [directory, ...files.map((file) => join(directory, file))])
    expect(statSync(path).mode & 0o077).toBe(0)
  expect(await savedInbox('old299@mayfly.test', home)).toEqual(inboxOf('old299'))
})

test('moves the list of earlier builds, also if several commands do it at the same time', async () => {
  writeEarlier(JSON.stringify(names.map(inboxOf)))
  const found = await Promise.all([savedInbox(undefined, home), savedInbox('a19@mayfly.test', home)])
  expect(found).toEqual([inboxOf('a0'), inboxOf('a19')])
  expect(readdirSync(join(home, '.mayfly'))).toEqual(['inboxes'])
  expect(readdirSync(join(home, '.mayfly/inboxes'))).toHaveLength(names.length)
})

test.each(['{', '{}', ''])('reports a damaged list of earlier builds, and keeps it: %j', async (content) => {
  writeEarlier(content)
  await expect(saveInbox(inboxOf('a'), home)).rejects.toThrow(/inboxes\.json is damaged\. Delete it to start over$/)
  expect(readdirSync(join(home, '.mayfly'))).toEqual(['inboxes.json'])
})
