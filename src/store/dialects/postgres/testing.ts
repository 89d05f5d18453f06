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

/** Returns the texts of subqueries whose rows a statement takes, and the statement without any subquery. */
function split(sql: string): { outer: string; sources: string[] } {
  const sources: string[] = []
  let outer = ''
  for (let at = 0; at < sql.length; at++) {
    outer += sql[at]
    if (!/^\(\s*(?:select|with) /.test(sql.slice(at, at + 20))) continue
    const start = at
    for (let depth = 1; depth > 0;) {
      at++
      if (sql[at] === '(') depth++
      else if (sql[at] === ')') depth--
    }
    if (/(?<!not) in \($/.test(outer.slice(-10))) sources.push(sql.slice(start, at))
    outer += ')'
  }
  return { outer, sources }
}

/**
 * Returns the columns that a statement must compare again. While a DELETE or UPDATE waits for a row that its subquery
 * has found, another transaction may change the row. PostgreSQL then evaluates the conditions of the statement again,
 * but not the subquery.
 */
export function uncheckedColumns(sql: string): string[] {
  const { outer, sources } = split(sql.replaceAll('"', ''))
  if (!/\b(?:delete from|update) /.test(outer)) return []
  const conditions = outer.slice(outer.indexOf(' where '))
  const compared = sources
    .filter((source) => source.includes(' limit '))
    .flatMap((source) =>
      [...source.replaceAll(/case when .*? end/g, '').matchAll(/(\w+) (?:[<>=]+ [$\d']|is null|in \(\$)/g)].map(
        ([, column = '']) => column,
      ),
    )
  return [...new Set(compared)].filter((column) => !new RegExp(`\\b${column} `).test(conditions))
}

/** A database that rejects statements with unchecked columns. */
export function rechecked(database: Database): Database {
  return {
    ...database,
    async batch(queries, inboxes) {
      for (const { sql } of queries) {
        const columns = uncheckedColumns(sql)
        if (columns.length > 0) throw new Error(`Repeat the conditions on ${columns.join()} outside: ${sql}`)
      }
      return database.batch(queries, inboxes)
    },
  }
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
