import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * What Node compiled of the program is kept for the next start of it, as long as the tests run: more than a hundred times a
 * program is started, and a fifth of the work of a start is to compile the same files. Whoever starts one hands the
 * variable on. A first start fills it, for those that are killed leave nothing.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-compiled-'))
  process.env.NODE_COMPILE_CACHE = directory
  const first = promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../../src/main.ts'), '--version'])
  // One that fails is for the tests to tell of.
  const ended = first.catch(() => {})
  return async () => {
    await ended
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
