import { randomBytes } from 'node:crypto'
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
import type { Result } from '../../database.ts'

/** A text answers nothing that anybody reads. */
export type Query = CompiledQuery<unknown> | string
export type Answers<Queries extends readonly Query[]> = {
  [K in keyof Queries]: Queries[K] extends CompiledQuery<infer Row> ? Result<Row> : Result<unknown>
}

/** Times are milliseconds. */
export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`, with libpq's parameters (sslmode, sslrootcert and so on). */
  url: string
  /** How long a connection may take. */
  connectTimeout: number
  /** How long a statement may take; 0 for as long as it likes. */
  statementTimeout: number
  /** How long a statement may wait for a lock. */
  lockTimeout: number
}

/** Rows are found by keys; plans are made once for all parameters, since making one costs more than running it. */
const PLANNER = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c random_page_cost=1.1 -c jit=off'
/** A machine that vanished without a word is given up after 20 seconds, and its locks with it. */
const KEEPALIVE =
  '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=20000'
/** How long a server may take to let a connection go, in milliseconds. */
const END_GRACE = 1000
/** The server may be slow to say that a statement took too long. */
const PATIENCE = 1000

const INT8 = 20
const NUMERIC = 1700
const BYTEA = 17

/** Numbers for all integers (ours are below 2^53), and plain bytes. */
const types = {
  getTypeParser(oid: number): (text: string) => unknown {
    if (oid === INT8 || oid === NUMERIC) return Number
    if (oid === BYTEA) return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))
    return defaultTypes.getTypeParser(oid, 'text') as (text: string) => unknown
  },
}

function toConfig({ url, connectTimeout, statementTimeout, lockTimeout }: ConnectionOptions): ClientConfig {
  const address = new URL(url)
  // `sslmode` then means what it means to psql.
  if (address.searchParams.has('sslmode')) address.searchParams.set('uselibpqcompat', 'true')
  return {
    connectionString: address.href,
    application_name: `mayfly ${randomBytes(6).toString('hex')}`,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    query_timeout: statementTimeout && statementTimeout + PATIENCE,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: statementTimeout,
    options: `${PLANNER} ${KEEPALIVE}`,
    keepAlive: true,
    types: types as CustomTypesConfig,
    // Sends all that it is given at once, without waiting for an answer before the next question.
    pipeline: true,
  } as ClientConfig
}

/** One connection. The server knows it under a name of its own, so that it can be told to end it. */
export class Connection extends Client {
  readonly name: string

  constructor(options: ConnectionOptions) {
    const config = toConfig(options)
    super(config)
    this.name = config.application_name ?? ''
    // Whoever uses it hears of it by the failed query.
    this.on('error', () => {})
  }

  /** Ends it, and by force where the server does not let it go within the time that is left to it. */
  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    const timer = setTimeout(() => this.destroy(), END_GRACE)
    this.once('end', () => clearTimeout(timer))
    return callback ? super.end(callback) : super.end()
  }

  /** Breaks it: what is under way fails. */
  destroy(): void {
    this.connection.stream.destroy()
  }

  /** Sends all at once; answers what became of each when all are through. */
  settle(queries: readonly Query[]): Promise<PromiseSettledResult<QueryResult>[]> {
    return Promise.allSettled(queries.map((query) => this.query(toQuery(query))))
  }

  /** Runs one after the other, in one round trip; rejects with the first error when all are through. */
  async run<const Queries extends readonly Query[]>(queries: Queries): Promise<Answers<Queries>> {
    const answers = await this.settle(queries)
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      const { rows, rowCount } = answer.value
      return { rows, affected: rowCount ?? 0 }
    }) as Answers<Queries>
  }
}

/** A pool of connections, and how it is closed: what is under way gets `END_GRACE`. */
export function createPool(options: ConnectionOptions, max: number, onTrouble: (error: unknown) => void) {
  const pool = new Pool({
    ...({ Client: Connection, ...options } as object),
    max,
    connectionTimeoutMillis: options.connectTimeout,
    idleTimeoutMillis: 60_000,
  })
  const open = new Set<Connection>()
  pool.on('connect', (client) => void open.add(client as unknown as Connection))
  pool.on('remove', (client) => void open.delete(client as unknown as Connection))
  // An idle connection that broke; the next query makes a new one. The pool adds the whole client, which no log wants.
  pool.on('error', (error) => onTrouble(new Error(error.message)))

  async function close(): Promise<void> {
    const timer = setTimeout(() => open.forEach((each) => each.destroy()), END_GRACE)
    await pool.end()
    clearTimeout(timer)
  }

  return { pool, close }
}

const names = new Map<string, string>()

/** What has parameters is prepared once on each connection, under a name that belongs to its text. */
export function toQuery(query: Pick<CompiledQuery<unknown>, 'sql' | 'parameters'> | string): QueryConfig {
  if (typeof query === 'string') return { text: query }
  const { sql: text, parameters } = query
  if (parameters.length === 0) return { text }
  let name = names.get(text)
  if (name === undefined) names.set(text, (name = `q${names.size}`))
  return { name, text, values: [...parameters] }
}
