import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { DATABASE_FILE } from '#core/store.ts'
import { PATIENCE } from './patience.ts'
import { newDatabase, runSql } from './postgres.ts'

export interface BorrowedDatabase {
  url: string
  /** Closes its connections and deletes its rows, for the next test. */
  release(): Promise<void>
}

/** The databases of this process that no test uses. The end of the run drops them. */
const free: string[] = []

/**
 * A migrated PostgreSQL database without rows. One after the other, tests use the same, because a new one takes more time
 * than most tests. Partitions of earlier tests remain, and are empty.
 */
export async function borrowDatabase(): Promise<BorrowedDatabase> {
  const url = free.pop() ?? (await newDatabase(inject('postgres'), inject('migratedDatabase'))).url
  return {
    url,
    async release() {
      await runSql(url, DISCONNECT)
      await emptyPostgres(url)
      free.push(url)
    },
  }
}

/** Deletes all rows of a database. */
export const emptyPostgres = async (url: string): Promise<void> => void (await runSql(url, EMPTY))

const DISCONNECT = `
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
const EMPTY = `
  do $$
  declare entry record;
  begin
    for entry in
      select oid::regclass as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not like 'kysely%'
    loop
      execute format('delete from %s', entry.name);
    end loop;
  end $$`

/** Makes the rows of an open database those of the migrated one. */
export function emptySqlite(directory: string): void {
  const database = new DatabaseSync(join(directory, DATABASE_FILE), {
    timeout: PATIENCE,
    enableForeignKeyConstraints: false,
  })
  try {
    database.prepare('attach ? as migrated').run(inject('migratedFile'))
    const tables = database
      .prepare(
        "select name from main.sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'kysely%'",
      )
      .all()
    database.exec('begin immediate')
    for (const { name } of tables) {
      database.exec(`delete from main.${String(name)}`)
      database.exec(`insert into main.${String(name)} select * from migrated.${String(name)}`)
    }
    database.exec('commit')
  } finally {
    database.close()
  }
}
