import { parentPort, workerData } from 'node:worker_threads'
import type { BackupAnswer, BackupTask } from './backup.ts'
import { copyDatabase } from './copy.ts'
import { toFileError } from './file-error.ts'
import { inspect } from './inspect.ts'

const task = workerData as BackupTask

async function run(): Promise<BackupAnswer> {
  try {
    return { inspection: task.kind === 'copy' ? await copyDatabase(task) : inspect(task.path, task) }
  } catch (error) {
    const { fault, message } = toFileError(error)
    return { fault, message }
  }
}

parentPort?.postMessage(await run())
