import { HOUR } from '../src/core/time.ts'
import { openStore } from '../src/store/store.ts'
import { createAddress } from '../test/support/program/api.ts'
import { newDatabase, PostgresServer, runSql } from '../test/support/program/postgres.ts'
import { startProgram } from '../test/support/program/program.ts'
import { round, table } from './lib/figures.ts'
import { fill, idOf } from './lib/fill.ts'
import { latencies } from './lib/latency.ts'
import { runGenerator } from './lib/load.ts'
import { RAISED } from './servers/mayfly.ts'

export interface InboxOptions {
  addresses: number
  messages: number
  reads: number
}

const OWNERS = 500
const BODY_BYTES = 1600
const LANES = 8
const SHARED_BUFFERS = '2GB'

/**
 * Measures how long it takes to list an inbox among many others, by the store alone and through the API of a running
 * node.
 */
export async function inbox({ addresses, messages, reads }: InboxOptions): Promise<string> {
  const server = await PostgresServer.start({ settings: { shared_buffers: SHARED_BUFFERS, max_wal_size: '8GB' } })
  const { url } = await newDatabase(server.url())
  const env = {
    ...RAISED,
    MAYFLY_DATABASE_URL: url,
    MAYFLY_SECRET_KEY: 'ab'.repeat(32),
    MAYFLY_DNS_SERVERS: '127.0.0.1:9',
  }
  const program = await startProgram({ asOperator: true, env })
  const now = Date.now()
  await fill({ url, addresses, messages, alive: 1, endFrom: now + HOUR, endTo: now + 24 * HOUR, bodyBytes: BODY_BYTES })
  const owners = await Promise.all(Array.from({ length: OWNERS }, () => createAddress(program.url)))
  await runGenerator({
    port: program.smtpPort,
    rcpt: owners.map(({ address }) => address).join(','),
    size: 4096,
    messages: OWNERS * 5,
    connections: 20,
  })

  const store = await openStore({
    directory: '',
    logger: console,
    postgres: { url, readers: LANES, writers: 2, connectTimeout: 5000, statementTimeout: 10_000, lockTimeout: 5000 },
  })
  const ids = (
    await runSql(
      url,
      `select ${idOf(`1 + (n * 104729::bigint) % ${addresses}`)} as id from generate_series(1, ${reads}) as n`,
    )
  ).map(({ id }) => String(id))
  let listed = 0
  const list = async (i: number): Promise<void> => {
    const rows = await store.messages.list(ids[i % ids.length] ?? '', { now, limit: 51 })
    listed += rows.length
  }
  const api = (i: number) => owners[i % OWNERS]!.json('/api/v1/messages')
  await latencies(500, LANES, list)
  await latencies(OWNERS, LANES, api)
  listed = 0
  const rows = [
    ['the store: list of a random address', LANES, await latencies(reads, LANES, list)],
    ['the store: list of a random address, one at a time', 1, await latencies(reads / 4, 1, list)],
    ['GET /api/v1/messages', LANES, await latencies(reads / 4, LANES, api)],
    ['GET /api/v1/messages, one at a time', 1, await latencies(reads / 4, 1, api)],
  ] as const
  const [size] = await runSql(url, 'select pg_size_pretty(pg_database_size(current_database())) as size')
  await store.close()
  await program.stop()
  await server.remove()
  return [
    table([
      ['operation', 'concurrency', 'p50 ms', 'p99 ms'],
      ...rows.map(([what, lanes, { p50, p99 }]) => [what, lanes, round(p50, 2), round(p99, 2)]),
    ]),
    `${addresses} live addresses, ${messages} messages in 24 partitions, ${String(size?.size)} on disk, ${SHARED_BUFFERS} of shared buffers; ${round(listed / (reads * 1.25), 1)} messages per list.`,
  ].join('\n\n')
}
