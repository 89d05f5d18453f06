import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CopyOptions } from './copy.ts'
import { DatabaseFileError, type FileFault } from './file-error.ts'
import type { BackupInspection, InspectOptions } from './inspect.ts'

export type BackupTask = ({ kind: 'copy' } & CopyOptions) | ({ kind: 'inspect'; path: string } & InspectOptions)
export type BackupAnswer = { inspection: BackupInspection } | { fault: FileFault; message: string }

/**
 * Runs the task in its own thread: SQLite works for minutes on a large file, and the main thread must handle signals.
 */
async function run(task: BackupTask): Promise<BackupInspection> {
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { workerData: task })
  const [answer] = (await once(worker, 'message')) as [BackupAnswer]
  if ('fault' in answer) throw new DatabaseFileError(answer.fault, answer.message)
  return answer.inspection
}

/** `copyDatabase` in a thread. Rejects with `DatabaseFileError`. */
export const copyInThread = (options: CopyOptions): Promise<BackupInspection> => run({ kind: 'copy', ...options })

/** `inspect` in a thread. Rejects with `DatabaseFileError`. */
export const inspectInThread = (path: string, options: InspectOptions): Promise<BackupInspection> =>
  run({ kind: 'inspect', path, ...options })
