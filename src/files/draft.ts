import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { access, open } from 'node:fs/promises'
import { publish } from './publish.ts'

/** The extension of drafts, for finding what a power cut left behind. */
export const DRAFT_END = '.part'
/** Suffixes of the files that SQLite may create for a draft database. */
const COMPANIONS = ['', '-journal', '-wal', '-shm']
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Creates a large file with mode 0600 that appears under its name only when it is complete. `fill` writes it under
 * another name (`PATH.RANDOM.part`); then it is synced and published. Never replaces a file: rejects with `EEXIST`.
 * Leaves nothing behind if `fill` rejects, or if SIGINT, SIGTERM or SIGHUP interrupts the process.
 */
export async function withDraft<T>(path: string, fill: (draft: string) => Promise<T>): Promise<T> {
  await ensureFree(path)
  const draft = `${path}.${randomBytes(4).toString('hex')}${DRAFT_END}`
  const remove = (): void => {
    for (const end of COMPANIONS) rmSync(draft + end, { force: true })
  }
  // Threads may be in a long call. The signal itself ends the process, whatever they do.
  const interrupted = (signal: NodeJS.Signals): void => {
    for (const each of SIGNALS) process.removeListener(each, interrupted)
    remove()
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.on(signal, interrupted)
  try {
    await (await open(draft, 'wx', 0o600)).close()
    const result = await fill(draft)
    await sync(draft)
    await publish(draft, path)
    return result
  } finally {
    remove()
    for (const signal of SIGNALS) process.removeListener(signal, interrupted)
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

async function ensureFree(path: string): Promise<void> {
  const taken = await access(path).then(
    () => true,
    () => false,
  )
  if (taken) throw Object.assign(new Error(`EEXIST: file already exists, '${path}'`), { code: 'EEXIST' })
}
