import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { BARE_ENV } from './program.ts'

/** Starts `mayfly` with only these variables and those that every program needs. */
export const startMayfly = (args: string[], env: Record<string, string> = {}) =>
  spawn(process.execPath, ['bin/mayfly.js', ...args], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...BARE_ENV, ...env },
  })

/** Runs `mayfly` until it ends. */
export async function runMayfly(args: string[], env: Record<string, string>) {
  const child = startMayfly(args, env)
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { status: status as number | null, stdout, stderr }
}
