import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { DATABASE_FILE } from '#core/store.ts'
import { openStore } from '#store/store.ts'
import { dropDatabasesOf, newDatabase } from './postgres.ts'
import { MIGRATED_FILE } from './program.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file of a migrated SQLite database, to copy. */
    migratedFile: string
    /** The name of a migrated PostgreSQL database, to copy; '' without a server. */
    migratedDatabase: string
  }
}

const logger = { error: console.error, warn() {}, info() {} }

/** Migrates one database of each engine, so that tests of other things copy it: migrations take longer than most tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { runDirectory, postgres: server } = project.getProvidedContext()
  const directory = join(runDirectory, 'migrated')
  await (await openStore({ directory, logger })).close()
  project.provide('migratedFile', join(directory, DATABASE_FILE))
  // `startProgram` also runs outside of tests, where nothing can be injected.
  process.env[MIGRATED_FILE] = join(directory, DATABASE_FILE)
  const name = server === undefined ? '' : await migrate(server, directory)
  project.provide('migratedDatabase', name)
  return async () => {
    if (server !== undefined && name !== '') await dropDatabasesOf(server, name)
  }
}

async function migrate(server: string, directory: string): Promise<string> {
  const { url } = await newDatabase(server)
  const postgres = { url, readers: 1, writers: 1, connectTimeout: 5000, statementTimeout: 30_000, lockTimeout: 30_000 }
  await (await openStore({ directory, logger, postgres })).close()
  return new URL(url).pathname.slice(1)
}
