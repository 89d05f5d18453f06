import { copyFileSync, cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

/*
 * What happens to the database files while the service runs: no message is acknowledged that would be lost, and
 * `/readyz` responds even if the database is locked.
 */

let program: Program
let owner: ApiClient
beforeAll(async () => {
  program = await startProgram({ env: WITHOUT_LIMITS })
  owner = await createAddress(program.url)
  await send('before')
})
afterAll(() => program.stop())

const send = (subject: string) => sendMail(program.smtpPort, { to: owner.address, subject, text: subject })
/** The SMTP reply to a message: 250 or the refusal. */
const reply = (subject: string): Promise<number> =>
  send(subject).then(
    () => 250,
    (error: { responseCode?: number }) => error.responseCode ?? 0,
  )
const status = async (path: string): Promise<number> => (await fetch(program.url + path)).status
const inbox = async (): Promise<number> => (await owner.get('/api/v1/messages')).status
const subjects = async (): Promise<string[]> =>
  (await owner.json('/api/v1/messages')).messages.map(({ subject }: { subject: string }) => subject)

describe('missing files', () => {
  const file = (name: string): string => join(program.dataDir, name)
  const aside = (path: string): string => `${path}.aside`
  const moveAway = (path: string) => renameSync(path, aside(path))
  const putBack = (path: string) => {
    rmSync(path, { recursive: true, force: true })
    renameSync(aside(path), path)
  }

  test.each<[string, () => string, (path: string) => void]>([
    ['mayfly.db, removed', () => file('mayfly.db'), () => {}],
    ['mayfly.db, replaced by a copy', () => file('mayfly.db'), (path) => copyFileSync(aside(path), path)],
    ['the write-ahead log, removed', () => file('mayfly.db-wal'), () => {}],
    ['the write-ahead log, replaced by a copy', () => file('mayfly.db-wal'), (path) => copyFileSync(aside(path), path)],
    ['the index of the write-ahead log, removed', () => file('mayfly.db-shm'), () => {}],
    ['the data directory, moved', () => program.dataDir, () => {}],
    [
      'the data directory, replaced by a copy',
      () => program.dataDir,
      (path) => cpSync(aside(path), path, { recursive: true }),
    ],
  ])('%s: replies 451 and 503 until they are back', async (what, path, replace) => {
    expect(await reply(`with all files: ${what}`)).toBe(250)
    moveAway(path())
    replace(path())
    try {
      expect(await reply(`lost: ${what}`)).toBe(451)
      // The result of a check is reused for a second.
      await expect.poll(() => status('/readyz'), { timeout: 5000 }).toBe(503)
      // A reader checks the files at most every 100 ms.
      await expect.poll(inbox, { timeout: 5000 }).toBe(503)
      expect(await reply(`lost: ${what}`)).toBe(451)
    } finally {
      putBack(path())
    }
    await expect.poll(() => status('/readyz')).toBe(200)
    expect(await reply(`with all files again: ${what}`)).toBe(250)
    expect((await subjects()).slice(0, 2)).toContain(`with all files again: ${what}`)
    expect(program.stderr.join('\n')).toContain('was removed, replaced or emptied')
  })

  test('continues to refuse messages while many connections send', async () => {
    moveAway(file('mayfly.db'))
    try {
      const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => reply(`many ${i}`)))
      expect(new Set(replies)).toEqual(new Set([451]))
      expect(existsSync(file('mayfly.db'))).toBe(false)
    } finally {
      putBack(file('mayfly.db'))
    }
    expect(await reply('after many')).toBe(250)
  })
})

describe('a database that another process has locked', () => {
  test('/readyz responds with 503 within two seconds, and with 200 after the lock is released', async () => {
    const other = new DatabaseSync(join(program.dataDir, 'mayfly.db'), { timeout: PATIENCE })
    other.exec('begin immediate')
    try {
      await expect.poll(() => status('/readyz'), { timeout: 10_000 }).toBe(503)
      const started = performance.now()
      expect(await status('/readyz')).toBe(503)
      expect(performance.now() - started).toBeLessThan(2000)
    } finally {
      other.exec('rollback')
      other.close()
    }
    await expect.poll(() => status('/readyz')).toBe(200)
  })
})
