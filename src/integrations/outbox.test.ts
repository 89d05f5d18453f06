import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HOUR } from '#core/time.ts'
import { createOutbox, outboxFiles } from './outbox.ts'

const MAIL = { name: 'ended-x', to: 'ann@example.com', raw: Buffer.from('Subject: Hello\r\n\r\n.One\r\nünïcode\r\n') }
const NEW_YEAR = Date.UTC(2026, 0, 1)
const FILE = '2026-01-01T000000000Z-ended-x.eml'

let parent: string
let directory: string
let now: number
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'mayfly-outbox-'))
  directory = join(parent, 'outbox')
  now = NEW_YEAR
})
afterEach(() => rm(parent, { recursive: true }))

function outbox() {
  const info = vi.fn<(fields: object, message: string) => void>()
  const logger = { debug() {}, info, warn() {}, error() {} }
  return { ...createOutbox(directory, { from: 'noreply@mayfly.example', clock: () => now, logger }), info }
}

test('writes an email with its envelope to a private file, and logs a line without personal data', async () => {
  const { send, info } = outbox()
  await send(MAIL)
  expect(await readdir(directory)).toEqual([FILE])
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  expect((await stat(join(directory, FILE))).mode & 0o777).toBe(0o600)
  const envelope = 'X-Envelope-From: <noreply@mayfly.example>\r\nX-Envelope-To: <ann@example.com>\r\n'
  expect(await readFile(join(directory, FILE))).toEqual(Buffer.concat([Buffer.from(envelope), MAIL.raw]))
  expect(info.mock.calls).toEqual([[{ file: FILE }, expect.any(String)]])
})

test('writes the reverse-path of the email into the envelope', async () => {
  await outbox().send({ ...MAIL, from: 'SRS0=x@mayfly.example' })
  expect(await readFile(join(directory, FILE), 'utf8')).toMatch(/^X-Envelope-From: <SRS0=x@mayfly\.example>\r\n/)
})

test('lists the newest first, and reads only emails of the outbox', async () => {
  const { send } = outbox()
  const { list, read } = outboxFiles(directory)
  expect(await list()).toEqual([])
  await send(MAIL)
  now += HOUR
  await send({ ...MAIL, name: 'notice-y' })
  await writeFile(join(parent, '2026-secret.eml'), 'secret')
  await writeFile(join(directory, 'notes.txt'), 'mine')
  const names = ['2026-01-01T010000000Z-notice-y.eml', FILE]
  expect(await list()).toEqual(names)
  expect(Buffer.from((await read(FILE))!).toString()).toContain('ünïcode')
  for (const file of ['../2026-secret.eml', 'notes.txt', '', '2026-01-01T020000000Z-z.eml'])
    expect(await read(file)).toBeUndefined()
})

test('removes only emails and drafts from before a time', async () => {
  const { send } = outbox()
  const { list, prune } = outboxFiles(directory)
  expect(await prune(NEW_YEAR)).toBe(0)
  await send(MAIL)
  await writeFile(join(directory, '.2026-01-01T000000000Z-half.eml'), 'half')
  await writeFile(join(directory, '.2026-01-01T010000000Z-under-way.eml'), 'half')
  await writeFile(join(directory, '0-notes.txt'), 'mine')
  now += HOUR
  await send(MAIL)
  expect(await prune(NEW_YEAR)).toBe(0)
  expect(await prune(NEW_YEAR + HOUR)).toBe(2)
  expect(await list()).toEqual(['2026-01-01T010000000Z-ended-x.eml'])
  expect((await readdir(directory)).toSorted()).toEqual([
    '.2026-01-01T010000000Z-under-way.eml',
    '0-notes.txt',
    '2026-01-01T010000000Z-ended-x.eml',
  ])
})
