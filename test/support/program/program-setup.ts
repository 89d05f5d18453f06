import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleProgram } from '#web/build/program.ts'

/**
 * Bundles the program, so that tests start what the sources are now. A first start fills the compile cache, because killed
 * programs write nothing.
 */
export default async function setup(): Promise<() => Promise<void>> {
  await bundleProgram()
  const main = join(import.meta.dirname, '../../../dist/program/main.js')
  const first = promisify(execFile)(process.execPath, [main, '--version'])
  // If it fails, the tests will report it.
  const ended = first.catch(() => {})
  return async () => void (await ended)
}
