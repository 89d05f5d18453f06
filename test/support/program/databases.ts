import { inject } from 'vitest'
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
      await runSql(url, EMPTY)
      free.push(url)
    },
  }
}

const EMPTY = `
  do $$
  declare entry record;
  begin
    perform pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
    for entry in
      select oid::regclass as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not like 'kysely%'
    loop
      execute format('delete from %s', entry.name);
    end loop;
  end $$`
