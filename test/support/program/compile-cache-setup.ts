import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Keeps Node's compile cache of the program for the whole run: the program starts more than a hundred times, and
 * compiling is a fifth of each start. Tests pass the variable on to the programs that they start. A first start fills
 * the cache, because killed programs write nothing.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-compiled-'))
  process.env.NODE_COMPILE_CACHE = directory
  const first = promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../../src/main.ts'), '--version'])
  // If it fails, the tests will report it.
  const ended = first.catch(() => {})
  return async () => {
    await ended
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
