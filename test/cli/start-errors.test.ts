import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMayfly } from '#test/support/program/command.ts'
import { BARE_ENV } from '#test/support/program/program.ts'

/*
 * A failed start prints one line that names the setting and exits with 1. Each case runs the real program, which is
 * killed if it does not end in time. Here is one case of each kind. All cases are in src/config/config.test.ts, and those
 * of the data directory, the database, ports and certificates in src/composition.
 */

const root = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'mayfly-start-'))
const inside = (name: string): string => join(directory, name)
const KEY = 'ab'.repeat(32)
const SECRET = 'canary5ecret'
/** Starts take a second or two. A busy machine gets more time, and a program that hangs is killed. */
const TIME = 90_000

/** Root ignores file modes, so cases of permissions run as another user. */
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const stranger = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
const strangerCanRead =
  !isRoot || spawnSync(process.execPath, ['--version'], { cwd: root, uid: NOBODY, gid: NOBODY }).status === 0
const canMount = isRoot && spawnSync('unshare', ['-m', 'true']).status === 0
const privileged = await lowPort()

/** Runs the program with the settings of the case, free ports and a separate data directory. */
async function mayfly(
  args: string[],
  env: Record<string, string>,
  {
    command = [process.execPath, 'bin/mayfly.js'],
    as = {},
  }: { command?: string[]; as?: { uid?: number; gid?: number } } = {},
) {
  const own = mkdtempSync(inside('case-'))
  if (as.uid !== undefined) chownSync(own, as.uid, as.uid)
  const [program = '', ...before] = command
  const child = spawn(program, [...before, ...args], {
    cwd: root,
    env: {
      ...BARE_ENV,
      // Another user may not read the cache of this one.
      ...(as.uid === undefined ? {} : { NODE_COMPILE_CACHE: undefined }),
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_DATA_DIR: own,
      MAYFLY_DATABASE_CONNECT_SECONDS: '1',
      ...env,
    },
    // In a separate process group, so that nothing remains if it hangs.
    detached: true,
    ...as,
  })
  const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), TIME)
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  clearTimeout(late)
  return { status: status as number | null, stdout, lines: stderr.split('\n').filter(Boolean) }
}

async function listening(answer?: (server: Server) => void): Promise<{ port: number; server: Server }> {
  const server = createServer()
  answer?.(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

/** Returns a port below 1024 that needs privileges; undefined if no port does. */
async function lowPort(): Promise<number | undefined> {
  const start = spawnSync('cat', ['/proc/sys/net/ipv4/ip_unprivileged_port_start'], { encoding: 'utf8' })
  return Number(start.stdout) > 1 ? Number(start.stdout) - 1 : undefined
}

let busy: Awaited<ReturnType<typeof listening>>
let silent: Awaited<ReturnType<typeof listening>>

beforeAll(async () => {
  busy = await listening()
  silent = await listening((server) => server.on('connection', (socket) => socket.on('error', () => {})))
  chmodSync(directory, 0o755)
  mkdirSync(inside('locked'), { mode: 0o555 })
})

afterAll(() => {
  for (const { server } of [busy, silent]) server.close()
  rmSync(directory, { recursive: true, force: true })
})

type Case = [what: string, env: () => Record<string, string>, names: string, says?: RegExp]

const database = (port: number) => ({ MAYFLY_DATABASE_URL: `postgres://mayfly:${SECRET}@127.0.0.1:${port}/mayfly` })

const CASES: Case[] = [
  ['a busy HTTP port', () => ({ MAYFLY_HTTP_PORT: String(busy.port) }), 'MAYFLY_HTTP_PORT', /in use/],
  ['a data directory under /proc', () => ({ MAYFLY_DATA_DIR: '/proc/mayfly' }), 'MAYFLY_DATA_DIR', /\/proc\/mayfly/],
  ['a database server that does not run', () => database(1), 'MAYFLY_DATABASE_URL', /ECONNREFUSED/],
  [
    'a missing certificate',
    () => ({ MAYFLY_SMTP_TLS_CERT_FILE: '/none.pem', MAYFLY_SMTP_TLS_KEY_FILE: '/none.pem' }),
    'MAYFLY_SMTP_TLS_CERT_FILE',
    /none\.pem/,
  ],
]

function expectFailure({ status, stdout, lines }: Awaited<ReturnType<typeof mayfly>>, names: string, says?: RegExp) {
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(names)
  if (says) expect(lines[0]).toMatch(says)
  expect(lines[0]).not.toContain(SECRET)
  expect(lines[0]).not.toContain('not shown')
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
}

describe.concurrent('a start with', { timeout: 2 * TIME }, () => {
  test.each(CASES)('%s', async (_what, env, names, says) => expectFailure(await mayfly(['start'], env()), names, says))

  test.runIf(strangerCanRead)('a data directory without write permission', async () => {
    const result = await mayfly(['start'], { MAYFLY_DATA_DIR: inside('locked') }, { as: stranger })
    expectFailure(result, 'MAYFLY_DATA_DIR', /this user has no permission to read or write/)
  })

  test.runIf(strangerCanRead)('a key file of another user without read permission', async () => {
    const file = inside('private.key')
    writeFileSync(file, KEY, { mode: 0o000 })
    const result = await mayfly(['start'], { MAYFLY_SECRET_KEY_FILE: file }, { as: stranger })
    expectFailure(result, 'MAYFLY_SECRET_KEY_FILE', /private\.key belongs to another user; chown it/)
  })

  test.runIf(strangerCanRead)("a data directory that can't be created", async () => {
    const result = await mayfly(['start'], { MAYFLY_DATA_DIR: inside('locked/below') }, { as: stranger })
    expectFailure(result, 'MAYFLY_DATA_DIR', /this user has no permission to read or write/)
  })

  test.runIf(canMount)('a read-only data directory', async () => {
    const read = mkdtempSync(inside('read-only-'))
    const mounted = `mount -t tmpfs -o ro none '${read}' && exec '${process.execPath}' bin/mayfly.js "$@"`
    const result = await mayfly(
      ['start'],
      { MAYFLY_DATA_DIR: read },
      { command: ['unshare', '-m', 'sh', '-c', mounted, 'sh'] },
    )
    expectFailure(result, 'MAYFLY_DATA_DIR', /read-only/)
  })

  test.runIf(strangerCanRead && privileged !== undefined)('a privileged port without the permission', async () => {
    const result = await mayfly(['start'], { MAYFLY_SMTP_PORT: String(privileged) }, { as: stranger })
    expectFailure(result, 'MAYFLY_SMTP_PORT', /permission/)
  })

  test('an invalid setting through npm start', async () => {
    const result = await mayfly([], { MAYFLY_HOST: '999.1.1.1' }, { command: ['npm', 'start'] })
    expect([result.status, result.lines]).toEqual([1, [expect.stringContaining('MAYFLY_HOST')]])
  })
})

describe('another command with', { timeout: 2 * TIME }, () => {
  // All commands open the services with the same function. src/cli/run.test.ts proves how its errors are reported.
  test('a database server that never responds', async () => {
    const env = { ...database(silent.port), MAYFLY_SECRET_KEY: randomBytes(32).toString('hex') }
    expectFailure(await mayfly(['stats'], env), 'MAYFLY_DATABASE_URL')
  })
})

// A process with the id 1, as in a container, ignores signals for which it has no handler.
test('a signal during the start is handled: the start ends at once', async () => {
  const { server, port } = await listening()
  const connected = once(server, 'connection')
  const child = startMayfly(['start'], { ...database(port), MAYFLY_DATABASE_CONNECT_SECONDS: '60' })
  await connected
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  server.close()
})
