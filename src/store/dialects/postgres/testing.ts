import { inject } from 'vitest'
import type { Store } from '#core/store.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { newDatabase } from '#test/support/program/postgres.ts'
import type { Database } from '../../database.ts'
import { createStore } from '../../store.ts'
import { openPostgres, type PostgresOptions } from './open.ts'

export const defaults: Omit<PostgresOptions, 'url'> = {
  readers: 4,
  writers: 4,
  // Many transactions on one row, and many calls for one connection, wait for each other, longer on a busy machine.
  connectTimeout: PATIENCE,
  statementTimeout: PATIENCE,
  lockTimeout: PATIENCE,
  onTrouble(message, error) {
    throw new Error(message, { cause: error })
  },
  // The test server runs with fast, unsafe settings.
  onRisk() {},
}

export interface Node {
  database: Database
  store: Store
}

/**
 * Creates a database. `node` opens it once more, as another process would; `drop` closes all and drops the database.
 */
export async function databaseForNodes() {
  const { url, drop } = await newDatabase(inject('postgres'))
  const opened: Database[] = []
  return {
    url,
    async node(options: Partial<PostgresOptions> = {}): Promise<Node> {
      const database = await openPostgres({ ...defaults, url, ...options })
      opened.push(database)
      return { database, store: createStore(database) }
    },
    async drop(): Promise<void> {
      await Promise.all(opened.map((each) => each.close()))
      await drop()
    },
  }
}
