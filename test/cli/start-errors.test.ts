import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { BARE_ENV } from '#test/support/program/program.ts'

/*
 * A failed start prints one line that names the setting and exits with 1. Each case runs the real program, which is
 * killed if it does not end in time. More cases of the data directory and the database are in
 * src/composition/start-errors.test.ts.
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
  writeFileSync(inside('file'), '')
  mkdirSync(inside('locked'), { mode: 0o555 })
  mkdirSync(inside('not-a-database'))
  writeFileSync(inside('not-a-database/mayfly.db'), 'This is a text and no database at all. '.repeat(200))
  mkdirSync(inside('damaged-key'))
  writeFileSync(inside('damaged-key/secret.key'), 'damaged')
  const [pair, other] = await Promise.all(
    ['one', 'two'].map((name) => generate([{ name: 'commonName', value: name }], { algorithm: 'sha256' })),
  )
  writeFileSync(inside('cert.pem'), pair!.cert)
  writeFileSync(inside('key.pem'), pair!.private)
  writeFileSync(inside('other-key.pem'), other!.private)
  writeFileSync(inside('nonsense.pem'), 'nonsense')
})

afterAll(() => {
  for (const { server } of [busy, silent]) server.close()
  rmSync(directory, { recursive: true, force: true })
})

/** The server of the tests with a changed URL. */
const server = (change: (url: URL) => void) => () => {
  const url = new URL(inject('postgres'))
  change(url)
  return { MAYFLY_DATABASE_URL: url.href }
}

type Case = [what: string, env: () => Record<string, string>, names: string, says?: RegExp]

const certificate = (cert: string, key: string) => () => ({
  MAYFLY_SMTP_TLS_CERT_FILE: inside(cert),
  MAYFLY_SMTP_TLS_KEY_FILE: inside(key),
})
const dataDir = (path: string) => () => ({ MAYFLY_DATA_DIR: path })
const withKey = (path: string) => () => ({ MAYFLY_DATA_DIR: path, MAYFLY_SECRET_KEY: KEY })
const database = (rest: () => string) => () => ({ MAYFLY_DATABASE_URL: `postgres://mayfly:${SECRET}@${rest()}` })

const CASES: Case[] = [
  ['an invalid IP address', () => ({ MAYFLY_HOST: '999.1.1.1' }), 'MAYFLY_HOST', /999\.1\.1\.1/],
  ['an incomplete IP address', () => ({ MAYFLY_HOST: '1.2.3' }), 'MAYFLY_HOST'],
  ['an unknown host', () => ({ MAYFLY_HOST: 'nosuch.invalid' }), 'MAYFLY_HOST', /nosuch\.invalid/],
  ['an address of another machine', () => ({ MAYFLY_HOST: '203.0.113.1' }), 'MAYFLY_HOST', /203\.0\.113\.1/],
  ['an IPv6 address of another machine', () => ({ MAYFLY_HOST: '2001:db8::1' }), 'MAYFLY_HOST', /2001:db8::1/],
  ['a busy HTTP port', () => ({ MAYFLY_HTTP_PORT: String(busy.port) }), 'MAYFLY_HTTP_PORT', /in use/],
  ['a busy SMTP port', () => ({ MAYFLY_SMTP_PORT: String(busy.port) }), 'MAYFLY_SMTP_PORT', /in use/],
  ['a data directory that is a file', dataDir(inside('file')), 'MAYFLY_DATA_DIR', /not a directory/],
  ['a data directory under /proc', dataDir('/proc/mayfly'), 'MAYFLY_DATA_DIR', /\/proc\/mayfly/],
  ['a damaged service key', dataDir(inside('damaged-key')), 'secret.key', /64 hexadecimal digits/],
  ['a file that is not a database', withKey(inside('not-a-database')), 'MAYFLY_DATA_DIR', /mayfly\.db.*not a database/],
  ['a database server that does not run', database(() => '127.0.0.1:1/mayfly'), 'MAYFLY_DATABASE_URL', /ECONNREFUSED/],
  ['a database server that never responds', database(() => `127.0.0.1:${silent.port}/mayfly`), 'MAYFLY_DATABASE_URL'],
  [
    'a database that the server does not have',
    server((url) => (url.pathname = 'nosuch')),
    'MAYFLY_DATABASE_URL',
    /"nosuch" does not exist/,
  ],
  ['a database URL without a database', database(() => '127.0.0.1'), 'MAYFLY_DATABASE_URL', /expected/],
  [
    'an unsupported kind of database',
    () => ({ MAYFLY_DATABASE_URL: `mysql://u:${SECRET}@h/d` }),
    'MAYFLY_DATABASE_URL',
    /postgres:/,
  ],
  ['a missing certificate', certificate('none.pem', 'key.pem'), 'MAYFLY_SMTP_TLS_CERT_FILE', /none\.pem/],
  ['a missing key', certificate('cert.pem', 'none.pem'), 'MAYFLY_SMTP_TLS_KEY_FILE', /none\.pem/],
  ['a bad certificate', certificate('nonsense.pem', 'key.pem'), 'MAYFLY_SMTP_TLS_CERT_FILE', /nonsense\.pem/],
  ['a bad key', certificate('cert.pem', 'nonsense.pem'), 'MAYFLY_SMTP_TLS_KEY_FILE', /nonsense\.pem/],
  [
    'the key of another certificate',
    certificate('cert.pem', 'other-key.pem'),
    'MAYFLY_SMTP_TLS_KEY_FILE',
    /other-key\.pem/,
  ],
  ['a certificate that is a directory', certificate('locked', 'key.pem'), 'MAYFLY_SMTP_TLS_CERT_FILE', /locked/],
  ['a missing advertisement file', () => ({ MAYFLY_AD_TOP_FILE: '/none' }), 'MAYFLY_AD_TOP_FILE', /none/],
  ['a name server that is not an IP address', () => ({ MAYFLY_DNS_SERVERS: '999.1.1.1' }), 'MAYFLY_DNS_SERVERS'],
  ['a name server with a bad port', () => ({ MAYFLY_DNS_SERVERS: '127.0.0.1:99999' }), 'MAYFLY_DNS_SERVERS'],
  [
    'a service key that is too short',
    () => ({ MAYFLY_SECRET_KEY: SECRET }),
    'MAYFLY_SECRET_KEY',
    /64 hexadecimal digits/,
  ],
  [
    'a key file that is a directory',
    () => ({ MAYFLY_SECRET_KEY_FILE: inside('locked') }),
    'MAYFLY_SECRET_KEY_FILE',
    /locked is a directory/,
  ],
  [
    'a relay with a bad password',
    () => ({ MAYFLY_OUTBOUND_URL: `smtp://u:${SECRET}%zz@h` }),
    'MAYFLY_OUTBOUND_URL',
    /smtp:/,
  ],
  ['a Stripe key with a space', () => ({ MAYFLY_STRIPE_SECRET_KEY: `a ${SECRET}` }), 'MAYFLY_STRIPE_SECRET_KEY', /key/],
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

  // A developer's own server may accept any password.
  test.skipIf(process.env.TEST_DATABASE_URL)('a wrong database password', async () => {
    const env = server((url) => (url.password = SECRET))
    expectFailure(await mayfly(['start'], env()), 'MAYFLY_DATABASE_URL', /password authentication failed/)
  })

  test.runIf(strangerCanRead)('a data directory without write permission', async () => {
    const result = await mayfly(['start'], { MAYFLY_DATA_DIR: inside('locked') }, { as: stranger })
    expectFailure(result, 'MAYFLY_DATA_DIR', /this user has no permission to read or write/)
  })

  test.runIf(strangerCanRead)('a key file without read permission', async () => {
    const file = inside('private.key')
    writeFileSync(file, KEY, { mode: 0o000 })
    const result = await mayfly(['start'], { MAYFLY_SECRET_KEY_FILE: file }, { as: stranger })
    expectFailure(result, 'MAYFLY_SECRET_KEY_FILE', /this user has no permission to read or write/)
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

  test.runIf(strangerCanRead && privileged !== undefined).each(['HTTP', 'SMTP'])(
    'a privileged %s port without the permission',
    async (protocol) => {
      const name = `MAYFLY_${protocol}_PORT`
      const result = await mayfly(['start'], { [name]: String(privileged) }, { as: stranger })
      expectFailure(result, name, /permission/)
    },
  )

  test('an invalid setting through npm start', async () => {
    const result = await mayfly([], { MAYFLY_HOST: '999.1.1.1' }, { command: ['npm', 'start'] })
    expect([result.status, result.lines]).toEqual([1, [expect.stringContaining('MAYFLY_HOST')]])
  })
})

describe.concurrent('another command with', { timeout: 2 * TIME }, () => {
  const commands = [['stats'], ['operator-mail'], ['outbox'], ['dns'], ['subscriptions', 'list']]
  const find = (what: string) => CASES.find(([name]) => name === what)!
  // All commands open the services with the same function.
  const both = [
    ...commands.map((args) => ({ args, case: find('a data directory under /proc') })),
    { args: ['stats'], case: find('a database server that never responds') },
  ].map(({ args, case: [what, env, names] }) => ({ args, what, env, names }))

  test.each(both)('$args and $what', async ({ args, env, names }) => expectFailure(await mayfly(args, env()), names))
})
