import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ByteSearch } from '#test/support/fixtures/byte-search.ts'
import { Canaries } from '#test/support/fixtures/canaries.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type ApiClient, clientOf, createAddress } from '#test/support/program/api.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { BARE_ENV, type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

/*
 * Backup and restore with the command line, while the service runs and while it is stopped.
 */

const root = mkdtempSync(join(tmpdir(), 'mayfly-backups-'))
const inside = (name: string): string => join(root, name)
/** Messages before a backup begins, and after it ended. */
const [BEFORE, AFTER] = [50, 10]
/** Messages that were sent. */
let mails = 0
const OWNERS = 3
/** In bytes. */
const FILLER = 60_000_000
const isRoot = process.getuid?.() === 0
const canMount = isRoot && spawnSync('unshare', ['-m', 'true']).status === 0

/** Settings of the service with its data in a directory of this name, and the key elsewhere. */
const settings = (directory: string) => ({
  MAYFLY_DATA_DIR: inside(directory),
  MAYFLY_SECRET_KEY_FILE: inside('keys/service.key'),
})

function begin(args: string[], directory: string, command = [process.execPath, 'bin/mayfly.js']) {
  const [program = '', ...before] = command
  const child = spawn(program, [...before, ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...BARE_ENV, ...settings(directory) },
  })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [status, signal]]) => ({ status, signal, stdout, lines: stderr.split('\n').filter(Boolean) }),
  )
  return { child, ended }
}
const mayfly = (args: string[], directory: string, command?: string[]) => begin(args, directory, command).ended

let program: Program
const owners: ApiClient[] = []
const canaries = new Canaries()
const secrets = new ByteSearch()

const send = (i: number) =>
  sendMail(program.smtpPort, {
    ...canaries.mail(i, owners[i % OWNERS]?.address ?? ''),
    messageId: `<mail-${i}@sender.example>`,
  })
const numbers = (to: number): number[] => Array.from({ length: to }, (_, i) => i)

/** Returns the numbers of the messages in all inboxes, opened with their secrets. */
async function mailsAt(url: string): Promise<number[]> {
  const found: number[] = []
  for (const { address, secret } of owners) {
    const owner = clientOf(url, address, secret)
    for (let query = ''; ;) {
      const page = await owner.json(`/api/v1/messages${query}`)
      for (const { id } of page.messages) {
        const raw = await (await owner.get(`/api/v1/messages/${id}/raw`)).text()
        found.push(Number(/^Message-ID: <mail-(\d+)@/im.exec(raw)?.[1]))
      }
      if (page.next === null) break
      query = `?before=${page.next}`
    }
  }
  return found.toSorted((a, b) => a - b)
}

beforeAll(async () => {
  mkdirSync(inside('keys'))
  program = await startProgram({ env: { ...WITHOUT_LIMITS, ...settings('data') }, dataDir: inside('data') })
  while (owners.length < OWNERS) owners.push(await createAddress(program.url))
  for (const { address, secret } of owners) {
    canaries.plant(`address ${address}`, address)
    canaries.plant(`secret of ${address}`, secret)
  }
})
afterAll(async () => {
  await program.stop('SIGKILL')
  rmSync(root, { recursive: true })
})

test('backs up every acknowledged message while the service runs, without delaying messages', async () => {
  const key = readFileSync(inside('keys/service.key'), 'utf8').trim()
  while (mails < BEFORE) await send(mails++)
  // Enough for many steps of the copy.
  const database = new DatabaseSync(inside('data/mayfly.db'), { timeout: PATIENCE })
  database.exec(`create table filler (bytes); insert into filler values (randomblob(${FILLER}))`)
  database.close()
  const running = begin(['backup', inside('live.db')], 'data')
  let ended = false
  const result = running.ended.finally(() => (ended = true))
  // A message is acknowledged even while the copy stands still in the middle.
  const draft = () => readdirSync(root).find((name) => name.startsWith('live.db.'))
  const copied = () => statSync(inside(draft() ?? ''), { throwIfNoEntry: false })?.size ?? 0
  while (!ended && !(draft() && copied() > 0)) await new Promise((resolve) => setImmediate(resolve))
  running.child.kill('SIGSTOP')
  await send(mails++).finally(() => running.child.kill('SIGCONT'))
  let acknowledgedMeanwhile = 0
  for (let left = AFTER; left > 0;) {
    await send(mails++)
    if (ended) left--
    else acknowledgedMeanwhile++
  }
  expect(acknowledgedMeanwhile).toBeGreaterThan(0)
  expect(await result).toMatchObject({ status: 0, lines: [] })
  const { stdout } = await result
  expect(stdout).toMatch(
    /^Wrote .*live\.db and checked it: \d+\.\d MB, live addresses: \d+, messages: \d+, in \d+\.\d s\.$/m,
  )
  expect(stdout).toContain(inside('keys/service.key'))
  expect(stdout).not.toContain(key)
  expect(statSync(inside('live.db')).mode & 0o777).toBe(0o600)

  const bytes = readFileSync(inside('live.db'))
  secrets.add('key', Buffer.from(key, 'hex'))
  secrets.add('key in hex', Buffer.from(key))
  secrets.add('key in base64', Buffer.from(Buffer.from(key, 'hex').toString('base64')))
  expect([...secrets.in(bytes), ...canaries.search().in(bytes)]).toEqual([])
})

test('restores a backup on another machine after a crash, every message opens, and nothing is restored while it runs', async () => {
  // While nothing is written, the WAL is emptied.
  await send(mails++)
  await program.stop('SIGKILL')
  const wal = statSync(join(program.dataDir, 'mayfly.db-wal')).size
  expect(wal).toBeGreaterThan(0)
  expect(await mayfly(['backup', inside('crashed.db')], 'data')).toMatchObject({ status: 0, lines: [] })

  for (const [name, least] of [
    ['live', BEFORE],
    ['crashed', mails],
  ] as const) {
    expect(await mayfly(['restore', inside(`${name}.db`)], name)).toMatchObject({ status: 0, lines: [] })
    const restored = await startProgram({ env: { ...WITHOUT_LIMITS, ...settings(name) }, dataDir: inside(name) })
    try {
      const found = await mailsAt(restored.url)
      // Messages were sent one at a time, so the backup has all messages up to one of them.
      expect(found).toEqual(numbers(found.length))
      expect(found.length).toBeGreaterThanOrEqual(least)
      await sendMail(restored.smtpPort, { to: owners[0]!.address, subject: 'after', text: 'after' })
      // While a service runs there, nothing is restored.
      const { status, stdout, lines } = await mayfly(['restore', inside(`${name}.db`)], name)
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(lines).toEqual([expect.stringMatching(/Mayfly uses MAYFLY_DATA_DIR .*stop it, then restore/)])
      expect((await fetch(`${restored.url}/readyz`)).status).toBe(200)
    } finally {
      expect(await restored.stop()).toBe(0)
    }
  }
})

test('refuses to replace a database', async () => {
  const { lines } = await mayfly(['restore', inside('crashed.db')], 'live')
  expect(lines).toEqual([expect.stringMatching(/already has a database; move mayfly\.db away/)])
})

test.each(['SIGINT', 'SIGTERM'] as const)('leaves no files if %s interrupts a backup', async (signal) => {
  mkdirSync(inside(`to-${signal}`))
  // The copy waits while this connection holds an exclusive lock.
  const other = new DatabaseSync(inside('data/mayfly.db'))
  try {
    other.exec('pragma locking_mode = exclusive; begin exclusive')
    const { child, ended } = begin(['backup', inside(`to-${signal}/a.db`)], 'data')
    await expect.poll(() => readdirSync(inside(`to-${signal}`)), { timeout: PATIENCE }).toHaveLength(1)
    child.kill(signal)
    expect(await ended).toMatchObject({ stdout: '' })
    expect(readdirSync(inside(`to-${signal}`))).toEqual([])
  } finally {
    other.close()
  }
})

/** Runs a command with a small file system that is removed afterwards, and prints the files left in it. */
const onSmallDisk = (sizeKilobytes: number, directory: string): string[] => [
  'unshare',
  '-m',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${sizeKilobytes}k none '${directory}' && '${process.execPath}' bin/mayfly.js "$@"; code=$?; ls -A '${directory}'; exit $code`,
  'sh',
]

test.runIf(canMount)('prints one line and leaves no file if the disk is too small', async () => {
  mkdirSync(inside('small'))
  const small = (args: string[], directory: string) => mayfly(args, directory, onSmallDisk(64, inside('small')))
  expect(await small(['backup', inside('small/a.db')], 'data')).toEqual({
    status: 1,
    signal: null,
    stdout: '',
    lines: [expect.stringMatching(/There is not enough free space on the disk of .*small\/a\.db/)],
  })
  expect(await small(['restore', inside('live.db')], 'small')).toEqual({
    status: 1,
    signal: null,
    stdout: 'service.lock\n',
    lines: [expect.stringMatching(/MAYFLY_DATA_DIR .*on a full disk/)],
  })
})

test('prints one line and leaves no file if a write fails during the copy', async () => {
  mkdirSync(inside('limited'))
  // In blocks of 512 bytes.
  const limited = ['sh', '-c', `ulimit -f 400 && exec '${process.execPath}' bin/mayfly.js "$@"`, 'sh']
  const { status, stdout, lines } = await mayfly(['backup', inside('limited/a.db')], 'data', limited)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(lines).toHaveLength(1)
  expect(readdirSync(inside('limited'))).toEqual([])
})

test('restore refuses a plain copy of mayfly.db', async () => {
  copyFileSync(inside('crashed.db'), inside('alone.db'))
  const db = new DatabaseSync(inside('alone.db'))
  db.exec('pragma journal_mode = wal')
  db.close()
  const { status, lines } = await mayfly(['restore', inside('alone.db')], 'none')
  expect([status, lines]).toEqual([1, [expect.stringMatching(/not a backup .*may lack the newest messages/)]])
})
