import { parentPort } from 'node:worker_threads'
import { freeBytes } from '#core/memory-budget.ts'
import type { Answer, Job, Request, Result } from './jobs.ts'

const contentOf = (result: Result): Uint8Array | undefined => {
  if (result instanceof Uint8Array) return result
  return typeof result === 'object' && 'content' in result ? result.content : undefined
}

const transferables = (result: Result): ArrayBuffer[] => {
  const content = contentOf(result)
  const whole = content && content.buffer instanceof ArrayBuffer && content.length === content.buffer.byteLength
  return whole ? [content.buffer as ArrayBuffer] : []
}

/** Runs jobs in a reader thread and posts their results or errors. `warmUp` runs before the first job. */
export async function serve(run: (job: Job) => Promise<Result>, warmUp?: () => Promise<void>): Promise<void> {
  const answer = (message: Answer, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)
  parentPort?.on('message', ({ id, job }: Request) => {
    run(job)
      .then(
        (result) => answer({ id, result }, transferables(result)),
        (error: unknown) => answer({ id, error: String(error) }),
      )
      .finally(() => freeBytes(job.raw))
  })
  await warmUp?.()
  answer({ ready: true })
}
