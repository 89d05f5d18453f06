import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A directory that the end of the run removes. */
    runDirectory: string
  }
}

const MEMORY = '/dev/shm'
/** A run needs less than half of it, with the compile cache. */
const BYTES = 4e9

/** A file system in memory that has enough space, or the usual temporary directory. */
async function parentDirectory(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined)
  const isEnough = memory && Math.min(memory.bavail * memory.bsize, process.availableMemory()) >= BYTES
  return isEnough ? MEMORY : tmpdir()
}

/** The names of the directories of runs contain the id of their process. */
const NAME = /^mayfly-run-(\d+)-/

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes what killed runs left in a directory. They would fill the memory. */
async function removeRemains(parent: string): Promise<void> {
  const remains = (await readdir(parent)).filter((name) => {
    const pid = NAME.exec(name)?.[1]
    return pid !== undefined && !isRunning(Number(pid))
  })
  await Promise.all(remains.map((name) => rm(join(parent, name), { recursive: true, force: true })))
}

/**
 * Creates the directory of the run, for all temporary files of tests and of the programs that they start. If it is in
 * memory, no test waits for the syncs of others: the fast tests take a quarter less time. Also keeps Node's compile cache there:
 * programs and threads start more than a thousand times, and compiling is a fifth of each start.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeRemains(MEMORY).catch(() => {})
  const directory = await mkdtemp(join(await parentDirectory(), `mayfly-run-${process.pid}-`))
  project.provide('runDirectory', directory)
  const { TMPDIR: before } = process.env
  process.env.TMPDIR = directory
  // PostgreSQL refuses to run as root, so it runs as a user who must get to its directory.
  await chmod(directory, 0o711)
  process.env.NODE_COMPILE_CACHE = join(directory, 'compiled')
  // A shared program may still be stopping.
  return async () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}
