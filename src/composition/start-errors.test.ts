import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oneLine } from '#cli/run.ts'
import { loadConfig } from '#config/load.ts'
import { openBaseStore } from './store.ts'

// One case of each kind also runs the whole program, in test/cli/start-errors.test.ts. server-errors.test.ts has
// the faulty settings of the servers.

const directory = mkdtempSync(join(tmpdir(), 'mayfly-start-errors-'))
const inside = (name: string): string => join(directory, name)
const logger = { debug() {}, info() {}, warn() {}, error() {} }
const SECRET = 'canary5ecret'
let otherServer: Server
let silentServer: Server

beforeAll(async () => {
  writeFileSync(inside('file'), '')
  mkdirSync(inside('database-is-directory/mayfly.db'), { recursive: true })
  mkdirSync(inside('key-is-directory/secret.key'), { recursive: true })
  mkdirSync(inside('not-a-database'))
  writeFileSync(inside('not-a-database/mayfly.db'), 'This is a text and no database at all. '.repeat(200))
  mkdirSync(inside('damaged-key'))
  writeFileSync(inside('damaged-key/secret.key'), 'damaged')
  otherServer = createServer((socket) => void socket.on('error', () => {}).end('220 not a database\r\n'))
  silentServer = createServer((socket) => void socket.on('error', () => {}))
  for (const each of [otherServer, silentServer]) await once(each.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  otherServer.close()
  silentServer.close()
  rmSync(directory, { recursive: true })
})

const portOf = (server: Server): number => (server.address() as AddressInfo).port
const dataDir = (path: string) => () => ({ MAYFLY_DATA_DIR: path })
const withKey = (path: string) => () => ({ MAYFLY_DATA_DIR: path, MAYFLY_SECRET_KEY: 'ab'.repeat(32) })
const database = (rest: () => string) => () => ({
  MAYFLY_DATA_DIR: inside('unused'),
  MAYFLY_DATABASE_URL: `postgres://mayfly:${SECRET}@${rest()}`,
  MAYFLY_DATABASE_CONNECT_SECONDS: '1',
})

test.each<[what: string, env: () => Record<string, string>, names: string, says?: RegExp]>([
  ['a data directory that is a file', dataDir(inside('file')), 'MAYFLY_DATA_DIR', /not a directory/],
  ['a data directory below a file', dataDir(inside('file/a/b')), 'MAYFLY_DATA_DIR', /not a directory/],
  ['a data directory deeper under /proc', dataDir('/proc/mayfly/data/x'), 'MAYFLY_DATA_DIR'],
  ['/proc itself', dataDir('/proc'), 'MAYFLY_DATA_DIR'],
  ['/dev/null', dataDir('/dev/null'), 'MAYFLY_DATA_DIR', /not a directory/],
  ['a data directory with a name that is too long', dataDir(inside('x'.repeat(300))), 'MAYFLY_DATA_DIR'],
  ['a service key that is a directory', dataDir(inside('key-is-directory')), 'MAYFLY_DATA_DIR', /secret\.key/],
  ['a damaged service key', dataDir(inside('damaged-key')), 'secret.key', /64 hexadecimal digits/],
  [
    'a key file that is a directory',
    () => ({ ...dataDir(inside('unused'))(), MAYFLY_SECRET_KEY_FILE: inside('not-a-database') }),
    'MAYFLY_SECRET_KEY_FILE',
    /not-a-database is a directory/,
  ],
  ['a file that is not a database', withKey(inside('not-a-database')), 'MAYFLY_DATA_DIR', /mayfly\.db.*not a database/],
  ['a database that is a directory', withKey(inside('database-is-directory')), 'MAYFLY_DATA_DIR', /mayfly\.db/],
  ['a data directory under /proc and a service key', withKey('/proc/a'), 'MAYFLY_DATA_DIR'],
  [
    'a database server on localhost that does not run',
    database(() => 'localhost:1/mayfly'),
    'MAYFLY_DATABASE_URL',
    /ECONNREFUSED/,
  ],
  [
    'a database server on an unknown host',
    database(() => 'nosuch.invalid/mayfly'),
    'MAYFLY_DATABASE_URL',
    /nosuch\.invalid/,
  ],
  [
    'another server at the database port',
    database(() => `127.0.0.1:${portOf(otherServer)}/mayfly`),
    'MAYFLY_DATABASE_URL',
  ],
  [
    'a database server that never responds',
    database(() => `127.0.0.1:${portOf(silentServer)}/mayfly`),
    'MAYFLY_DATABASE_URL',
  ],
  [
    'a missing certificate authority of the database',
    database(() => '127.0.0.1:1/m?sslrootcert=/none'),
    'MAYFLY_DATABASE_URL',
    /\/none/,
  ],
])('%s is reported in one line that names the setting', async (_what, env, names, says = /./) => {
  const failed = async () => openBaseStore(loadConfig(env()), logger)
  const line = await failed().then(() => 'opened', oneLine)
  expect(line).toContain(names)
  expect(line).toMatch(says)
  expect(line).not.toMatch(new RegExp(`${SECRET}|not shown|\n`))
})
