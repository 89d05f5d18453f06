import { mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { type Program, type SharedProgram, startProgram, WITHOUT_LIMITS } from './program.ts'

/** Several files use the same program, so it needs higher limits. */
const SETTINGS = {
  ...WITHOUT_LIMITS,
  MAYFLY_SUPPORT_BURST: '100000',
  // With each heartbeat a stream reads the store, which would hide that a change was not announced.
  MAYFLY_STREAM_KEEPALIVE_SECONDS: '3600',
  MAYFLY_FORWARD_ASK_BURST: '100000',
  MAYFLY_SIGN_IN_LINKS_MAX: '1000',
  MAYFLY_SMTP_BYTES_PER_HOUR: '100GB',
  MAYFLY_SMTP_REFUSED_RECIPIENTS_PER_HOUR: '1000000',
}

let shared: Promise<Program> | undefined

/**
 * Returns the program that the test files of this process share. It ends with the process. A file may use it if it needs
 * no settings of its own and if no other file uses the same names and email addresses.
 */
export async function sharedProgram(): Promise<SharedProgram> {
  const started = await shared?.catch(() => undefined)
  if (started && started.child.exitCode === null && started.child.signalCode === null) return started
  return (shared = start())
}

const start = async (): Promise<Program> =>
  // In the directory of the test run, which is removed at its end.
  startProgram({ env: SETTINGS, dataDir: await mkdtemp(join(inject('runDirectory'), 'shared-')), endsWithParent: true })

/** Whether it is the shared program. */
export const isShared = ({ dataDir }: Pick<SharedProgram, 'dataDir'>): boolean =>
  dirname(dataDir) === inject('runDirectory')
