import type { BoxPlace } from '#core/mailbox/box.ts'
import { ApiError } from '../api/api.ts'
import type { PrivateKeys } from './keys.ts'
import type { ReadJob, ReadRequest, ReadResults } from './read-job.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Result = ReadResults[ReadJob['kind']]
type Answer = { ready: true } | { result: Result } | { error: string }

/**
 * Reads mail in a thread. It never rejects for what a mail contains, only where the thread can't be had or is closed.
 */
export interface PrivateReader {
  /** `sealed`: the body that lies at this place. */
  run<Kind extends ReadJob['kind']>(
    job: Extract<ReadJob, { kind: Kind }>,
    place: BoxPlace,
    sealed: Bytes,
  ): Promise<ReadResults[Kind]>
  close(): void
}

export interface PrivateReaderOptions {
  /** Milliseconds for one mail, from when the thread is there: telephones take several times as long as servers. */
  timeout?: number
  start?: () => Worker
}

const TIMEOUT = 15_000

const startWorker = (): Worker => new Worker(new URL('./mail-worker.ts', import.meta.url), { type: 'module' })

/** One mail at a time. A mail that overruns its time takes the thread with it, and is read as far as its headers go. */
export function createPrivateReader(
  keys: PrivateKeys,
  { timeout = TIMEOUT, start = startWorker }: PrivateReaderOptions = {},
): PrivateReader {
  let worker: Worker | undefined
  let closed = false
  let last: Promise<unknown> = Promise.resolve()
  /** Terminates the worker and rejects the waiting jobs. */
  let stop = (_why: Error): void => {}

  /** The thread when it has loaded its code: what a job takes from there on is the job's own time. */
  async function thread(): Promise<Worker> {
    if (closed) throw new Error('The reader is closed')
    if (worker) return worker
    const started = start()
    await answerOf(started, Number.POSITIVE_INFINITY, new ApiError('offline'))
    worker = started
    return started
  }

  /** The next word of a thread; where it dies, takes too long or is closed, it is ended. */
  function answerOf(from: Worker, patience: number, died = new Error('The thread died')): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    stop = (why) => {
      from.terminate()
      worker = undefined
      reject(why)
    }
    const onMessage = ({ data }: MessageEvent<Answer>): void => resolve(data)
    const onError = (): void => stop(died)
    from.addEventListener('message', onMessage)
    from.addEventListener('error', onError)
    const timer = Number.isFinite(patience) ? setTimeout(() => stop(new Error('The mail took too long')), patience) : 0
    return promise.finally(() => {
      clearTimeout(timer)
      from.removeEventListener('message', onMessage)
      from.removeEventListener('error', onError)
    })
  }

  async function ask(request: ReadRequest): Promise<Result> {
    const to = await thread()
    const answer = answerOf(to, timeout)
    to.postMessage(request)
    const said = await answer
    if ('result' in said) return said.result
    throw new Error('error' in said ? said.error : 'No answer')
  }

  return {
    run(job, place, sealed) {
      const work = async (): Promise<Result> => {
        const request = { job, keys, place, sealed, plain: false }
        await thread()
        return ask(request).catch(() => ask({ ...request, plain: true }))
      }
      const result = last.then(work)
      last = result.catch(() => {})
      return result as Promise<never>
    },
    close() {
      closed = true
      worker?.terminate()
      stop(new Error('The reader is closed'))
    },
  }
}
