import { randomBytes } from 'node:crypto'
import { callbackify } from 'node:util'
import type { CompiledQuery } from 'kysely'
import {
  Client,
  type ClientConfig,
  type CustomTypesConfig,
  Pool,
  type QueryConfig,
  type QueryResult,
  types as defaultTypes,
} from 'pg'
import { MINUTE } from '#core/time.ts'
import type { Result } from '../../database.ts'
import { isAnswer } from './errors.ts'

/** A query, or a plain text whose result is not used. */
export type Query = CompiledQuery<unknown> | string
export type Answers<Queries extends readonly Query[]> = {
  [K in keyof Queries]: Queries[K] extends CompiledQuery<infer Row> ? Result<Row> : Result<unknown>
}

/** Times are in milliseconds. */
export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`, with libpq's parameters (sslmode, sslrootcert and so on). */
  url: string
  /** Timeout for connecting. */
  connectTimeout: number
  /** Timeout for a statement; 0 for none. */
  statementTimeout: number
  /** Timeout for a lock. */
  lockTimeout: number
}

/**
 * Rows are found by keys, so sequential scans are off. Plans are made once for all parameters, because planning costs
 * more than running.
 */
const PLANNER = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c random_page_cost=1.1 -c jit=off'
/** A peer that disappeared without closing the connection is given up after 20 seconds, which releases its locks. */
const KEEPALIVE =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=20000'
/** Parameters of the URL whose values Mayfly sets. */
const OWN_PARAMETERS = [
  'application_name',
  'options',
  'statement_timeout',
  'query_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
]
/** How long the server may take to close a connection, in milliseconds. */
const END_GRACE = 1000
/** Additional time for the server to report a statement timeout, in milliseconds. */
const PATIENCE = 1000

const INT8 = 20
const NUMERIC = 1700
const BYTEA = 17

/** Returns all integers as numbers (Mayfly's are below 2^53), and bytea as Uint8Array. */
const types = {
  getTypeParser(oid: number): (text: string) => unknown {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (oid === BYTEA) return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))
    return defaultTypes.getTypeParser(oid, 'text') as (text: string) => unknown
  },
}

/**
 * Throws if a connection to this URL would fail before it reaches the server, such as for a certificate file that does not
 * exist.
 */
export const checkUrl = (url: string): unknown =>
  new Client(toConfig({ url, connectTimeout: 0, statementTimeout: 0, lockTimeout: 0 }))

function toConfig({ url, connectTimeout, statementTimeout, lockTimeout }: ConnectionOptions): ClientConfig {
  const address = new URL(url)
  // Gives `sslmode` the same meaning as in psql.
  const { searchParams } = address
  if (searchParams.has('sslmode')) searchParams.set('uselibpqcompat', 'true')
  // The driver prefers the parameters of the URL to what follows. Of these only the options of the operator can count.
  const ownOptions = searchParams.get('options') ?? ''
  for (const name of OWN_PARAMETERS) searchParams.delete(name)
  return {
    connectionString: address.href,
    application_name: `mayfly ${randomBytes(6).toString('hex')}`,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    query_timeout: statementTimeout && statementTimeout + PATIENCE,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: statementTimeout,
    options: `${ownOptions} ${PLANNER} ${KEEPALIVE}`,
    keepAlive: true,
    types: types as CustomTypesConfig,
    // Sends queries without waiting for the results of earlier ones.
    pipeline: true,
  } as ClientConfig
}

/**
 * A connection with a unique application name, by which another connection can terminate it. It is never to a standby:
 * one that got the address of the primary for a while would return old data and keep the connection.
 */
export class Connection extends Client {
  readonly name: string
  /** Whether it broke while statements ran. The server may not notice, and continue with them. */
  isDoubtful = false
  #isStandby = false

  constructor(options: ConnectionOptions) {
    const config = toConfig(options)
    super(config)
    this.name = config.application_name ?? ''
    // Errors reach the user of the connection through the failed query.
    this.on('error', () => {})
    // The server reports its parameters before a connection is ready.
    this.connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }: Record<string, string>) => {
      if (name === 'in_hot_standby') this.#isStandby = value === 'on'
    })
  }

  /** Rejects if the server is a standby. */
  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | void {
    const connected = this.#connectToPrimary()
    if (!callback) return connected
    callbackify(() => connected)(callback)
  }

  async #connectToPrimary(): Promise<this> {
    await super.connect()
    if (!this.#isStandby) return this
    await this.end()
    throw new Error('the server is a standby')
  }

  /** Closes the connection. Destroys it if the server does not close it within `END_GRACE`. */
  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const timer = setTimeout(() => this.destroy(), END_GRACE)
    this.once('end', () => clearTimeout(timer))
    return callback ? super.end(callback) : super.end()
  }

  /** Destroys the connection: pending queries fail. */
  destroy(): void {
    this.connection.stream.destroy()
  }

  /** Sends all queries at once. Resolves with the outcome of each when all are complete. */
  async settle(queries: readonly Query[]): Promise<PromiseSettledResult<QueryResult>[]> {
    const answers = await Promise.allSettled(queries.map((query) => this.query(toQuery(query))))
    this.isDoubtful ||= answers.some((answer) => answer.status === 'rejected' && !isAnswer(answer.reason))
    return answers
  }

  /** Runs the queries in order, in one round trip. Rejects with the first error when all are complete. */
  async run<const Queries extends readonly Query[]>(queries: Queries): Promise<Answers<Queries>> {
    const answers = await this.settle(queries)
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      const { rows, rowCount } = answer.value
      return { rows, affected: rowCount ?? 0 }
    }) as Answers<Queries>
  }
}

interface PoolEvents {
  /** Called when an idle connection broke. */
  onTrouble?(error: unknown): void
  /** Called with the name of each connection that broke while statements ran. */
  onDoubt?(connectionName: string): void
}

/** Creates a connection pool. Closing it gives pending queries `END_GRACE` to complete. */
export function createPool(options: ConnectionOptions, max: number, { onTrouble, onDoubt }: PoolEvents = {}) {
  const pool = new Pool({
    ...({ Client: Connection, ...options } as object),
    max,
    connectionTimeoutMillis: options.connectTimeout,
    idleTimeoutMillis: MINUTE,
  })
  const open = new Set<Connection>()
  pool.on('connect', (client) => void open.add(client as unknown as Connection))
  pool.on('remove', (client) => {
    const removed = client as unknown as Connection
    open.delete(removed)
    if (removed.isDoubtful) onDoubt?.(removed.name)
  })
  // The next query opens a new one. The pool attaches the whole client to the error, which does not belong in a log.
  pool.on('error', (error) => onTrouble?.(new Error(error.message)))

  async function close(): Promise<void> {
    const timer = setTimeout(() => open.forEach((each) => each.destroy()), END_GRACE)
    await pool.end()
    clearTimeout(timer)
  }

  return { pool, close }
}

const names = new Map<string, string>()

/**
 * Returns the query for the driver. A query with parameters is prepared once per connection, under a name that is
 * unique to its text.
 */
export function toQuery(query: Pick<CompiledQuery<unknown>, 'sql' | 'parameters'> | string): QueryConfig {
  if (typeof query === 'string') return { text: query }
  const { sql: text, parameters } = query
  if (parameters.length === 0) return { text }
  let name = names.get(text)
  if (name === undefined) names.set(text, (name = `q${names.size}`))
  return { name, text, values: [...parameters] }
}
