import type { TestProject } from 'vitest/node'
import { PostgresServer } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A database of the PostgreSQL server that the tests may make others beside. */
    postgres: string
    /** The databases that tests of the use cases run on. */
    engines: readonly ('SQLite' | 'PostgreSQL')[]
  }
}

/** One server for all test files of a run: the one of TEST_DATABASE_URL, else one of our own. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_DATABASE_URL
  if (given) {
    project.provide('postgres', given)
    return undefined
  }
  const server = await PostgresServer.start()
  project.provide('postgres', server.url())
  return () => server.remove()
}
