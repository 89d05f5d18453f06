import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import selfsigned from 'selfsigned'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newDatabase, PostgresServer } from '#test/support/program/postgres.ts'
import { createStore } from '../../store.ts'
import { claimed, key, newMessage, NOW } from '../../suite/fixtures.ts'
import { Connection } from './connections.ts'
import { openPostgres } from './open.ts'
import { databaseForNodes, defaults } from './testing.ts'

const open = (url: string) => openPostgres({ ...defaults, url })

/** Returns the error message of opening the database. */
const openingError = (url: string): Promise<string> =>
  open(url).then(
    () => 'opened',
    (error: unknown) => (error as Error).message,
  )

describe('a database that can’t be opened gives one clear error without the password', () => {
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(inject('postgres'))
    url.password ||= 'secret'
    change(url)
    return url.href
  }

  test('if nothing listens on the port', async () => {
    const message = await openingError(changed((url) => (url.port = '1')))
    expect(message).toBe("The database of MAYFLY_DATABASE_URL can't be opened: connect ECONNREFUSED 127.0.0.1:1")
  })

  test('if the database does not exist', async () => {
    const message = await openingError(changed((url) => (url.pathname = 'missing')))
    expect(message).toBe('The database of MAYFLY_DATABASE_URL can\'t be opened: database "missing" does not exist')
  })

  // A server with `trust` authentication accepts any password.
  test.skipIf(!new URL(inject('postgres')).password)('if the password is wrong', async () => {
    const message = await openingError(changed((url) => (url.password = 'wrong')))
    expect(message).toMatch(/opened: password authentication failed for user "\w+"$/)
  })
})

test('parameters of the URL do not replace what Mayfly needs, and options are added to its own', async () => {
  const url = new URL(inject('postgres'))
  const given = {
    application_name: 'mayfly',
    options: '-c search_path=elsewhere -c enable_seqscan=on',
    statement_timeout: '0',
  }
  for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value)
  const connection = new Connection({ ...defaults, url: url.href, statementTimeout: 1234 })
  await connection.connect()
  const names = ['application_name', 'search_path', 'enable_seqscan', 'statement_timeout']
  const answers = await connection.run(names.map((name) => `show ${name}`))
  expect(answers.map(({ rows }) => Object.values(rows[0] as object)[0])).toEqual([
    connection.name,
    'elsewhere',
    'off',
    '1234ms',
  ])
  await connection.end()
})

describe('a statement', () => {
  let url: string
  let drop: () => Promise<void>
  beforeAll(async () => {
    ;({ url, drop } = await newDatabase(inject('postgres')))
  })
  afterAll(() => drop())

  test('is canceled when it or its wait for a lock takes too long', async () => {
    const options = { ...defaults, url, statementTimeout: 300, lockTimeout: 100 }
    const [first, second] = [new Connection(options), new Connection(options)]
    await Promise.all([first.connect(), second.connect()])
    await expect(first.run(['select pg_sleep(5)'])).rejects.toMatchObject({ code: '57014' })
    await first.run(['begin', 'select pg_advisory_xact_lock(1)'])
    await expect(second.run(['select pg_advisory_xact_lock(1)'])).rejects.toMatchObject({ code: '55P03' })
    await Promise.all([first.end(), second.end()])
  })
})

test('keeps the connection and the pool after an error, and does not acknowledge a write after a lock timeout', async () => {
  const here = await databaseForNodes()
  const { store } = await here.node({ lockTimeout: 100, writers: 1 })
  const { id } = await claimed(store)
  const blocker = new Connection({ ...defaults, url: here.url })
  await blocker.connect()
  await blocker.run(['begin', `select 1 from addresses where id = '${id}' for update`])
  const message = newMessage(id)
  await expect(store.messages.append([message])).rejects.toMatchObject({ code: 'store_unavailable' })
  await blocker.run(['commit'])
  await blocker.end()
  expect(await store.messages.append([message])).toEqual(['stored'])
  await expect(store.messages.append([newMessage(id, { size: 0.5 })])).rejects.toThrow(/invalid input syntax/)
  expect(await store.messages.list(id, { now: NOW, limit: 10 })).toHaveLength(1)
  await here.drop()
})

test('prepares hot statements once per connection', async () => {
  const here = await databaseForNodes()
  const { store, database } = await here.node({ writers: 1 })
  const { id } = await claimed(store)
  for (let i = 0; i < 5; i++) await store.messages.append([newMessage(id)])
  const { rows } = await sql<{ calls: number }>`
    select generic_plans + custom_plans as calls from pg_prepared_statements
     where statement like '%insert into messages%' and name <> ''`.execute(database.write)
  // The first one runs twice, because the partition did not exist yet.
  expect(rows).toEqual([{ calls: 6 }])
  await here.drop()
})

test('returns no rows for lists without matches', async () => {
  const here = await databaseForNodes()
  const { store } = await here.node()
  expect(await store.addresses.findRecipients(["it's", '"', '\\', key()], NOW)).toEqual([])
  await here.drop()
})

describe('on a server of its own', () => {
  let server: PostgresServer
  let directory: string
  let certificate: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mayfly-tls-'))
    certificate = join(directory, 'server.crt')
    const made = await selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      ],
    })
    await chmod(directory, 0o755)
    await writeFile(certificate, made.cert)
    const keyFile = join(directory, 'server.key')
    await writeFile(keyFile, made.private, { mode: 0o600 })
    if (process.getuid?.() === 0) await chown(keyFile, 65_534, 65_534)
    server = await PostgresServer.start({
      settings: { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: keyFile },
    })
  })
  afterAll(async () => {
    await server.remove()
    await rm(directory, { recursive: true })
  })

  const urlWith = (url: string, host: string, query: string): string => `${url.replace('127.0.0.1', host)}?${query}`

  test.each([
    [
      'verify-full with the right certificate authority',
      'localhost',
      () => `sslmode=verify-full&sslrootcert=${certificate}`,
    ],
    ['require without a certificate authority', '127.0.0.1', () => 'sslmode=require'],
  ])('TLS accepts %s, encrypted', async (_name, host, query) => {
    const { drop, url } = await newDatabase(server.url())
    const database = await open(urlWith(url, host, query()))
    const { rows } = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(database.read)
    expect(rows).toEqual([{ ssl: true }])
    await database.close()
    await drop()
  })

  test.each([
    ['an unknown certificate authority', 'localhost', () => 'sslmode=verify-full'],
    ['another host name', '127.0.0.1', () => `sslmode=verify-full&sslrootcert=${certificate}`],
  ])('TLS rejects %s', async (_name, host, query) => {
    await expect(open(urlWith(server.url(), host, query()))).rejects.toThrow(/certificate/)
  })

  test('closes without waiting for a server that does not respond', async () => {
    const database = await openPostgres({
      ...defaults,
      url: server.url(),
      connectTimeout: 2000,
      statementTimeout: 20_000,
      onTrouble() {},
    })
    const store = createStore(database)
    const { id } = await claimed(store)
    expect(await store.isLeader()).toBe(true)
    await server.signal('SIGSTOP')
    try {
      const under = [store.messages.append([newMessage(id)]), store.addresses.find(id, NOW), store.check()]
      const answers = Promise.allSettled(under)
      const started = performance.now()
      await store.close()
      // Two seconds for in-doubt commits and connections that are being opened, one for all others; not the statement
      // timeout.
      expect(performance.now() - started).toBeLessThan(12_000)
      expect((await answers).every(({ status }) => status === 'rejected')).toBe(true)
    } finally {
      await server.signal('SIGCONT')
    }
  })
})
