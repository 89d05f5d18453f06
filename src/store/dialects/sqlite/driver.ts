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

/** What a driver runs its queries on. */
export interface Route {
  run: Thread['run']
  /**
   * Keeps everybody else out until the answered function is called; `run` on the answered route goes through meanwhile.
   */
  exclusive(): Promise<{ run: Thread['run']; release: () => void }>
}

export function toStatement({ sql, parameters }: CompiledQuery): Statement {
  // Between the threads it stands for bytes, so it must never come from elsewhere.
  if (parameters.includes(undefined)) throw new TypeError(`A parameter is undefined: ${sql}`)
  return { sql, parameters: parameters as SqlValue[] }
}

/** Kysely's SQLite dialect on connections that live in threads. */
export function threadDialect(route: Route): Dialect {
  return {
    createAdapter: () => new ThreadAdapter(),
    createDriver: () => new ThreadDriver(route),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/**
 * Kysely's adapter takes SQLite for one connection whose migrations nobody else sees; here BEGIN IMMEDIATE locks them.
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
    // Outside of a transaction of its own a statement is one by itself and may share its commit with others.
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
  // Also after a begin, commit or rollback that failed.
  releaseConnection = (connection: DatabaseConnection): Promise<void> =>
    Promise.resolve((connection as ThreadConnection).release())
}
