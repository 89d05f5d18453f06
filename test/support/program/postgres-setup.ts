import type { TestProject } from 'vitest/node'
import { PostgresServer } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A database on the PostgreSQL server. Tests create others beside it. */
    postgres: string
    /** The engines that tests of use cases run on. */
    engines: readonly ('SQLite' | 'PostgreSQL')[]
  }
}

/** Starts one server for all test files of a run, unless TEST_DATABASE_URL is set. */
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
