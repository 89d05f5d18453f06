import { type Dialect, PostgresAdapter, PostgresDialect } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { type Answers, type Connection, type Query, toQuery } from './connections.ts'
import { isAnswer, toError } from './errors.ts'

/**
 * Without Kysely's lock for migrations, which sets `lock_timeout` to an hour and hides the error of a migration that
 * failed. The migrations have their own (migrations-dialect.ts).
 */
class Adapter extends PostgresAdapter {
  override acquireMigrationLock = (): Promise<void> => Promise.resolve()
  override releaseMigrationLock = (): Promise<void> => Promise.resolve()
}

class PooledDialect extends PostgresDialect {
  override createAdapter = (): Adapter => new Adapter()
}

/** Kysely's PostgreSQL dialect on the pool, with prepared statements and MayflyErrors. */
export function pooledDialect(pool: Pool): Dialect {
  return new PooledDialect({
    pool: {
      async connect() {
        const client = await borrow(pool)
        return {
          async query(sql: string, parameters: readonly unknown[] = []) {
            return await client.query(toQuery({ sql, parameters })).catch((error: unknown) => {
              throw toError(error)
            })
          },
          release: () => client.release(),
        } as never
      },
      end: () => Promise.resolve(),
      options: {},
    },
  })
}

/** Borrows a connection. The caller must release it, with the error if it broke. */
export async function borrow(pool: Pool): Promise<Connection & PoolClient> {
  try {
    return (await pool.connect()) as unknown as Connection & PoolClient
  } catch (error) {
    throw toError(error)
  }
}

/** Runs queries on a borrowed connection, in one round trip. */
export async function runOn<const Queries extends readonly Query[]>(
  pool: Pool,
  queries: Queries,
): Promise<Answers<Queries>> {
  const connection = await borrow(pool)
  try {
    const answers = await connection.run(queries)
    connection.release()
    return answers
  } catch (error) {
    connection.release(!isAnswer(error))
    throw toError(error)
  }
}
