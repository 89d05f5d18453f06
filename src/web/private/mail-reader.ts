import type { BoxPlace } from '#core/mailbox/box.ts'
import { MINUTE } from '#core/time.ts'
import { ApiError } from '../api/api.ts'
import type { PrivateKeys } from './keys.ts'
import type { ReadJob, ReadRequest, ReadResults } from './read-job.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Result = ReadResults[ReadJob['kind']]
type Reply = { ready: true } | { result: Result } | { error: string }

/**
 * Reads messages in a worker. Rejects only if the worker cannot be started or the reader is closed, never because of a
 * message's content.
 */
export interface PrivateReader {
  /** `sealed`: the sealed body that is bound to `place`. */
  run<Kind extends ReadJob['kind']>(
    job: Extract<ReadJob, { kind: Kind }>,
    place: BoxPlace,
    sealed: Bytes,
  ): Promise<ReadResults[Kind]>
  close(): void
}

interface PrivateReaderOptions {
  /** Milliseconds for one message, without the start of the worker. Phones are several times slower than servers. */
  timeout?: number
  start?: () => Worker
}

const TIMEOUT = 15_000
/** Milliseconds for the start of the worker, whose code may still have to be loaded. */
const START_TIMEOUT = MINUTE

const startWorker = (): Worker => new Worker(new URL('./mail-worker.ts', import.meta.url), { type: 'module' })

/** Reads one message at a time. After a timeout the worker is terminated, and only the message's headers are read. */
export function createPrivateReader(
  keys: PrivateKeys,
  { timeout = TIMEOUT, start = startWorker }: PrivateReaderOptions = {},
): PrivateReader {
  let worker: Worker | undefined
  let closed = false
  let last: Promise<unknown> = Promise.resolve()
  /** Terminates the worker and rejects the waiting jobs. */
  let stop = (_why: Error): void => {}

  /** The worker, after it has loaded its code. Loading does not count towards the timeout of a job. */
  async function readyWorker(): Promise<Worker> {
    if (closed) throw new Error('The reader is closed')
    if (worker) return worker
    const started = start()
    await nextReply(started, START_TIMEOUT, new ApiError('offline'))
    worker = started
    return started
  }

  /** The next reply of a worker. Terminates the worker if it dies, takes too long or the reader is closed. */
  function nextReply(from: Worker, timeLimit: number, failure = new Error('The worker did not reply')): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    stop = (why) => {
      from.terminate()
      worker = undefined
      reject(why)
    }
    const onMessage = ({ data }: MessageEvent<Reply>): void => resolve(data)
    const onError = (): void => stop(failure)
    from.addEventListener('message', onMessage)
    from.addEventListener('error', onError)
    const timer = setTimeout(onError, timeLimit)
    return promise.finally(() => {
      clearTimeout(timer)
      from.removeEventListener('message', onMessage)
      from.removeEventListener('error', onError)
    })
  }

  async function send(request: ReadRequest): Promise<Result> {
    const target = await readyWorker()
    const reply = nextReply(target, timeout)
    target.postMessage(request)
    const received = await reply
    if ('result' in received) return received.result
    throw new Error('error' in received ? received.error : 'No reply')
  }

  return {
    run(job, place, sealed) {
      const work = async (): Promise<Result> => {
        const request = { job, keys, place, sealed, plain: false }
        await readyWorker()
        return send(request).catch(() => send({ ...request, plain: true }))
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
