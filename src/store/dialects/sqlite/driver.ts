import {
  type CompiledQuery,
  CompiledQuery as Compiled,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { JobMode, SqlValue, Statement } from './protocol.ts'
import type { Thread } from './thread.ts'

/** Where a driver runs its queries. */
export interface Route {
  run: Thread['run']
  /** Blocks all other jobs until `release` is called. Only `run` of the returned object is executed until then. */
  exclusive(): Promise<{ run: Thread['run']; release: () => void }>
}

export function toStatement({ sql, parameters }: CompiledQuery): Statement {
  // `undefined` stands for bytes in the messages between threads, so no parameter may be undefined.
  if (parameters.includes(undefined)) throw new TypeError(`A parameter is undefined: ${sql}`)
  return { sql, parameters: parameters as SqlValue[] }
}

/** Kysely's SQLite dialect for connections in threads. */
export function threadDialect(route: Route): Dialect {
  return {
    createAdapter: () => new ThreadAdapter(),
    createDriver: () => new ThreadDriver(route),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/**
 * Kysely's adapter assumes a single connection whose migrations no other connection sees. Here BEGIN IMMEDIATE locks
 * them.
 */
class ThreadAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class ThreadConnection implements DatabaseConnection {
  readonly #route: Route
  #transaction: { run: Thread['run']; release: () => void } | undefined

  constructor(route: Route) {
    this.#route = route
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Outside a transaction, a statement is a transaction by itself and may share its commit with others.
    const mode: JobMode = this.#transaction ? 'direct' : 'transaction'
    const [result] = await (this.#transaction ?? this.#route).run(mode, [toStatement(query)])
    return typeof result === 'number'
      ? { rows: [], numAffectedRows: BigInt(result) }
      : { rows: (result ?? []) as Row[] }
  }

  // oxlint-disable-next-line require-yield -- not offered
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Queries of this driver do not stream')
  }

  async begin(): Promise<void> {
    this.#transaction = await this.#route.exclusive()
    await this.executeQuery(Compiled.raw('begin immediate'))
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    await this.executeQuery(Compiled.raw(how))
    this.release()
  }

  release(): void {
    this.#transaction?.release()
    this.#transaction = undefined
  }
}

class ThreadDriver implements Driver {
  readonly #route: Route

  constructor(route: Route) {
    this.#route = route
  }

  init = (): Promise<void> => Promise.resolve()
  destroy = (): Promise<void> => Promise.resolve()
  acquireConnection = (): Promise<ThreadConnection> => Promise.resolve(new ThreadConnection(this.#route))
  beginTransaction = (connection: DatabaseConnection): Promise<void> => (connection as ThreadConnection).begin()
  commitTransaction = (connection: DatabaseConnection): Promise<void> => (connection as ThreadConnection).end('commit')
  rollbackTransaction = (connection: DatabaseConnection): Promise<void> =>
    (connection as ThreadConnection).end('rollback')
  // Also called after a failed begin, commit or rollback.
  releaseConnection = (connection: DatabaseConnection): Promise<void> =>
    Promise.resolve((connection as ThreadConnection).release())
}
