import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A directory that the end of the run removes. */
    runDirectory: string
  }
}

/**
 * Creates the directory of the run, and keeps Node's compile cache there: programs and threads start more than a thousand
 * times, and compiling is a fifth of each start. Tests pass the variable on to the programs that they start.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-run-'))
  project.provide('runDirectory', directory)
  process.env.NODE_COMPILE_CACHE = join(directory, 'compiled')
  // A shared program may still be stopping.
  return () => rm(directory, { recursive: true, force: true, maxRetries: 5 })
}
