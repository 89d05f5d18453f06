import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Program, type SharedProgram, startProgram, WITHOUT_LIMITS } from './program.ts'

/** More files ask the same program than one. */
const SETTINGS = {
  ...WITHOUT_LIMITS,
  MAYFLY_SUPPORT_BURST: '100000',
  MAYFLY_FORWARD_ASK_BURST: '100000',
  MAYFLY_SIGN_IN_LINKS_MAX: '1000',
  MAYFLY_SMTP_BYTES_PER_HOUR: '100GB',
  MAYFLY_SMTP_REFUSED_RECIPIENTS_PER_HOUR: '1000000',
}

let shared: Promise<Program> | undefined

/**
 * The program of this process, for test files that need no settings and disturb nobody: names and email addresses are
 * theirs alone. It ends with the process.
 */
export async function sharedProgram(): Promise<SharedProgram> {
  const started = await shared?.catch(() => undefined)
  if (started && started.child.exitCode === null && started.child.signalCode === null) return started
  return (shared = start())
}

const start = async (): Promise<Program> =>
  // In the directory of the run, which its end removes.
  startProgram({ env: SETTINGS, dataDir: await mkdtemp(join(inject('runDirectory'), 'shared-')), endsWithParent: true })
