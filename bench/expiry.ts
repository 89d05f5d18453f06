import { Client } from 'pg'
import { HOUR } from '../src/core/time.ts'
import { LOCKS } from '../src/store/dialects/postgres/migrations-dialect.ts'
import { partitionName } from '../src/store/dialects/postgres/partitions.ts'
import { createAddress } from '../test/support/program/api.ts'
import { newDatabase, PostgresServer, runSql } from '../test/support/program/postgres.ts'
import { startProgram } from '../test/support/program/program.ts'
import { median, round, table } from './lib/figures.ts'
import { fill } from './lib/fill.ts'
import { runGenerator } from './lib/load.ts'
import { RAISED } from './servers/mayfly.ts'

export interface ExpiryOptions {
  rounds: number
  /** Messages that expire at once. */
  messages: number
  seconds: number
}

const ADDRESSES = 200_000
/** Share of the addresses that are alive, so that their watchers are notified of expired messages. */
const ALIVE = 0.2
const CONNECTIONS = 20
/**
 * Messages per second, well below the capacity of the node, because the 99th percentile of a full queue has no meaning.
 */
const RATE = 1000
const BODY_BYTES = 1600
const SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB' }

/**
 * Measures the 99th percentile of the time to the 250 on one node, at rest and while it removes a million expired
 * messages.
 */
export async function expiry({ rounds, messages, seconds }: ExpiryOptions): Promise<string> {
  const [calm, busy]: [number[], number[]] = [[], []]
  const durations: number[] = []
  for (let i = 0; i < rounds; i++) {
    const server = await PostgresServer.start({ durable: true, settings: SETTINGS })
    const { url } = await newDatabase(server.url())
    const env = {
      ...RAISED,
      MAYFLY_DATABASE_URL: url,
      MAYFLY_SECRET_KEY: 'ab'.repeat(32),
      MAYFLY_DNS_SERVERS: '127.0.0.1:9',
      MAYFLY_AUTHENTICATION_SECONDS: '1',
      MAYFLY_ADDRESS_STORAGE_BYTES: '100GB',
      MAYFLY_SWEEP_SECONDS: '1',
    }
    // Only the leader sweeps. While this connection holds the leader's lock, nothing is removed.
    const leaderLock = new Client({ connectionString: url })
    await leaderLock.connect()
    await leaderLock.query(`select pg_advisory_lock(${LOCKS.leader})`)
    const receiver = await startProgram({ asOperator: true, env })
    const owners = await Promise.all(Array.from({ length: 100 }, () => createAddress(receiver.url)))
    const options = {
      port: receiver.smtpPort,
      rcpt: owners.map(({ address }) => address).join(','),
      connections: CONNECTIONS,
      rate: RATE,
      size: 8192,
      messages: 1e9,
    }
    const load = async (length: number): Promise<{ p99: number }> =>
      (await runGenerator({ ...options, seconds: length })).latency
    // A complete past hour, so that its partition is dropped.
    const end = Math.floor(Date.now() / HOUR) * HOUR
    await fill({
      url,
      addresses: ADDRESSES,
      messages,
      alive: ALIVE,
      endFrom: end - HOUR + 1,
      endTo: end - 1,
      bodyBytes: BODY_BYTES,
    })
    await load(3)
    calm.push((await load(seconds)).p99)
    const started = performance.now()
    await leaderLock.end()
    const dropped = partitionsDropped(url).then(() => durations.push((performance.now() - started) / 1000))
    while (durations.length === i) busy.push((await load(seconds)).p99)
    await dropped
    await receiver.stop()
    await server.remove()
  }
  const ratio = median(busy) / median(calm)
  return [
    table([
      ['', 'p99 of the 250, ms', 'rounds'],
      ['at rest', round(median(calm), 1), calm.map((each) => round(each, 1)).join(', ')],
      ['while messages are removed', round(median(busy), 1), busy.map((each) => round(each, 1)).join(', ')],
    ]),
    `Ratio ${round(ratio, 2)}. ${messages} messages of ${ADDRESSES} addresses, ${ALIVE * 100} % of them alive, removed after ${round(median(durations), 0)} s.`,
  ].join('\n\n')
}

/** Resolves when all past partitions are dropped. */
async function partitionsDropped(url: string): Promise<void> {
  const name = partitionName('messages', Date.now())
  for (;;) {
    const [row] = await runSql(
      url,
      `select count(*)::int as count from pg_class where relkind = 'r' and relname ~ '^messages_[0-9]' and relname <= '${name}'`,
    )
    if (row?.count === 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
