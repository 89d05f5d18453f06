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

interface ServeOptions {
  /** Runs one job at a time. Default: each job starts when it arrives. */
  inOrder?: boolean
  /** Runs before the first job. */
  warmUp?: () => Promise<void>
}

/** Runs the jobs that the main thread sends to a reader thread, and posts their results or errors. */
export async function serve(
  run: (job: Job) => Promise<Result>,
  { inOrder = false, warmUp }: ServeOptions = {},
): Promise<void> {
  let last = Promise.resolve()
  const answer = (message: Answer, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(message, transfer)
  parentPort?.on('message', ({ id, job }: Request) => {
    const done = (inOrder ? last.then(() => run(job)) : run(job))
      .then(
        (result) => answer({ id, result }, transferables(result)),
        (error: unknown) => answer({ id, error: String(error) }),
      )
      .finally(() => freeBytes(job.raw))
    if (inOrder) last = done
  })
  await warmUp?.()
  answer({ ready: true })
}
