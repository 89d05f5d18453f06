import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleProgram } from '#web/build/program.ts'

/**
 * Bundles the program, so that tests start what the sources are now, and keeps Node's compile cache for the whole run:
 * the program starts more than a hundred times, and compiling is a fifth of each start. Tests pass the variable on to the
 * programs that they start. A first start fills the cache, because killed programs write nothing.
 */
export default async function setup(): Promise<() => Promise<void>> {
  await bundleProgram()
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-compiled-'))
  process.env.NODE_COMPILE_CACHE = directory
  const main = join(import.meta.dirname, '../../../dist/program/main.js')
  const first = promisify(execFile)(process.execPath, [main, '--version'])
  // If it fails, the tests will report it.
  const ended = first.catch(() => {})
  return async () => {
    await ended
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
