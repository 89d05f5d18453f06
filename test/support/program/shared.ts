import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Program, type SharedProgram, startProgram, WITHOUT_LIMITS } from './program.ts'

/** Several files use the same program, so it needs higher limits. */
const SETTINGS = {
  ...WITHOUT_LIMITS,
  MAYFLY_SUPPORT_BURST: '100000',
  // With a heartbeat, a stream notices changes by itself, which would hide that a change was not announced.
  MAYFLY_STREAM_KEEPALIVE_SECONDS: '3600',
  MAYFLY_FORWARD_ASK_BURST: '100000',
  MAYFLY_SIGN_IN_LINKS_MAX: '1000',
  MAYFLY_SMTP_BYTES_PER_HOUR: '100GB',
  MAYFLY_SMTP_REFUSED_RECIPIENTS_PER_HOUR: '1000000',
}

let shared: Promise<Program> | undefined
let sharedDirectory: string | undefined

/**
 * Returns the program that the test files of this process share. It ends with the process. A file may use it if it needs
 * no settings of its own and if no other file uses the same names and email addresses.
 */
export async function sharedProgram(): Promise<SharedProgram> {
  const started = await shared?.catch(() => undefined)
  if (started && started.child.exitCode === null && started.child.signalCode === null) return started
  return (shared = start())
}

async function start(): Promise<Program> {
  // In the directory of the test run, which is removed at its end.
  sharedDirectory = await mkdtemp(join(inject('runDirectory'), 'shared-'))
  return startProgram({ env: SETTINGS, dataDir: sharedDirectory, endsWithParent: true })
}

/** Returns whether a program is the shared one. Other programs also keep their data in the directory of the test run. */
export const isShared = ({ dataDir }: Pick<SharedProgram, 'dataDir'>): boolean => dataDir === sharedDirectory
