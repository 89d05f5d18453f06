import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * What Node compiled of the program is kept for the next start of it, as long as the tests run: more than a hundred times a
 * program is started, and a fifth of the work of a start is to compile the same files. Whoever starts one hands the
 * variable on.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-compiled-'))
  process.env.NODE_COMPILE_CACHE = directory
  return () => rm(directory, { recursive: true, force: true, maxRetries: 3 })
}
