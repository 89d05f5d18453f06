import { Worker } from 'node:worker_threads'
import { MayflyError } from '#core/errors.ts'
import { JobQueue, type JobPriority } from './job-queue.ts'
import type { Answer, Job, JobResults, Request, Result } from './jobs.ts'

export interface ThreadOptions {
  /** The module that the thread runs, and its input. */
  entry: URL
  workerData: unknown
  /** Milliseconds that one job may take. */
  timeout: number
  /** Bytes of heap that the thread may use. */
  memory: number
  /** Jobs that run at the same time: 1 if they are bound by the CPU, many if they wait for the network. */
  concurrency: number
  /**
   * How many jobs may be sent in addition to the running ones, so that the thread has the next job when it finishes one.
   * Only jobs that a user waits for are sent early. The thread must run jobs in the order in which they arrive.
   * Default: 0.
   */
  ahead?: number
  /** Bytes of messages that may wait or run. Further jobs are refused, so that a queue never fills the memory. */
  queueBytes: number
  /** Milliseconds without a job after which the thread ends and releases its memory. Undefined: never. */
  idle?: number
}

interface Pending {
  job: Job
  /** Bytes of memory that it uses while it waits. */
  weight: number
  priority: JobPriority
  resolve: (result: Result) => void
  reject: (error: Error) => void
  timer?: NodeJS.Timeout | undefined
  /** Whether the job was one of several that ran when their thread died or hung. */
  suspect?: boolean
  /** Nobody wants the result any longer, and the bytes of the message may be gone. */
  abandoned?: boolean
}

/**
 * A thread without an idle timeout starts with its first job, or after this many milliseconds. Loading its code takes a
 * fifth of the CPU time in which a program starts. Without the delay, the servers would listen later.
 */
const LATEST_START = 2000

/** The job itself failed. The thread still works. */
export class JobError extends Error {
  override readonly name = 'JobError'
}

/** Memory of a waiting job in addition to its message. */
const JOB_BYTES = 4096

/**
 * One reader thread and its queue. If a job exceeds its time or kills the thread, it fails and the thread is replaced.
 * The new thread continues with the other jobs. If several jobs ran, any of them may be to blame, so each first runs
 * alone. Jobs are rejected with `unavailable` if the message is not to blame: the queue is full or the reader closed.
 */
export class ReaderThread {
  readonly #options: ThreadOptions
  readonly #queue = new JobQueue<Pending>()
  /** Jobs that were sent to the thread and have no result yet, oldest first. The first `concurrency` of them are running. */
  readonly #sent = new Map<number, Pending>()
  #worker: Worker | undefined
  #ready = false
  /** How many jobs must run alone. They are first in the queue. */
  #suspects = 0
  #bytes = 0
  #nextId = 0
  #closed = false
  /** Starts a thread that had no job yet, or ends one that has had none for some time. */
  #timer: NodeJS.Timeout | undefined

  /** A thread with an idle timeout starts with its first job. */
  constructor(options: ThreadOptions) {
    this.#options = options
    if (options.idle === undefined) this.#timer = setTimeout(() => this.#start(), LATEST_START).unref()
  }

  get backlog(): number {
    return this.#queue.length + this.#sent.size
  }

  /**
   * Rejects if the job exceeds its time or memory, if the message exceeds a limit, or if `signal` aborts. The bytes of the
   * message are then no longer used.
   */
  async run<Kind extends Job['kind']>(
    job: Extract<Job, { kind: Kind }>,
    priority: JobPriority,
    signal?: AbortSignal,
  ): Promise<JobResults[Kind]> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<JobResults[Kind]>()
    const weight = job.raw.length + JOB_BYTES
    const full = this.#bytes + weight > this.#options.queueBytes && this.backlog > 0
    if (this.#closed || full) throw new MayflyError('unavailable', 'Too much mail waits to be read')
    const pending: Pending = { job, weight, priority, resolve: resolve as Pending['resolve'], reject }
    const abandon = (): void => {
      pending.abandoned = true
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abandon)
    clearTimeout(this.#timer)
    this.#bytes += weight
    this.#queue.push(pending)
    if (!this.#worker) this.#start()
    this.#next()
    return promise.finally(() => signal?.removeEventListener('abort', abandon))
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#rejectAll(new MayflyError('unavailable', 'The reader is closed'))
    await this.#worker?.terminate()
  }

  #start(): void {
    const { entry, workerData, memory } = this.#options
    const worker = new Worker(entry, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / 1024 / 1024) },
    })
    worker.unref()
    worker.on('message', (answer: Answer) => this.#receive(answer))
    worker.on('error', (error: unknown) => this.#died(worker, error))
    worker.on('exit', (code) => this.#died(worker, new Error(`The reader thread ended with ${code}`)))
    this.#worker = worker
    this.#ready = false
  }

  #next(): void {
    while (this.#ready && this.#hasRoom) {
      const pending = this.#queue.take()
      if (!pending) break
      if (pending.abandoned) {
        this.#settle(pending, () => {})
        continue
      }
      const id = this.#nextId++
      this.#sent.set(id, pending)
      // Copied, because a pooled buffer would be cloned as a whole, and because the message is still needed if the
      // thread dies.
      const raw = new Uint8Array(pending.job.raw)
      const request: Request = { id, job: { ...pending.job, raw } }
      this.#worker?.postMessage(request, [raw.buffer])
    }
    // The time of a job begins when it runs.
    for (const [, pending] of this.#running())
      pending.timer ??= setTimeout(() => this.#overrun(), this.#options.timeout)
  }

  get #hasRoom(): boolean {
    const { concurrency, ahead = 0 } = this.#options
    if (this.#suspects > 0) return this.#sent.size === 0
    return this.#sent.size < (this.#queue.isWaitedFor ? concurrency + ahead : concurrency)
  }

  #running(): [number, Pending][] {
    return [...this.#sent].slice(0, this.#options.concurrency)
  }

  #receive(answer: Answer): void {
    if ('ready' in answer) this.#ready = true
    else {
      const pending = this.#sent.get(answer.id)
      this.#sent.delete(answer.id)
      if (pending && 'error' in answer) this.#settle(pending, () => pending.reject(new JobError(answer.error)))
      else if (pending && 'result' in answer) this.#settle(pending, () => pending.resolve(answer.result))
    }
    this.#next()
  }

  #settle(pending: Pending, settle: () => void): void {
    clearTimeout(pending.timer)
    this.#bytes -= pending.weight
    if (pending.suspect) this.#suspects--
    settle()
    if (this.#bytes === 0 && this.#options.idle !== undefined && !this.#closed) {
      this.#timer = setTimeout(() => this.#stopIdle(), this.#options.idle).unref()
    }
  }

  #stopIdle(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  #overrun(): void {
    const worker = this.#worker
    this.#replace(new Error('The message took too long'))
    void worker?.terminate()
  }

  /** If the thread died before it was ready, it can't be started, and all jobs fail. */
  #died(worker: Worker, reason: unknown): void {
    if (this.#closed || worker !== this.#worker) return
    const error = reason instanceof Error ? reason : new Error(String(reason))
    if (this.#ready) return this.#replace(error)
    this.#worker = undefined
    this.#rejectAll(new MayflyError('unavailable', 'The reader does not start', { cause: error }))
  }

  /**
   * Starts a new thread for all jobs that were sent, before those that wait. The running job fails. If several were
   * running, each of them runs alone, so that only the one fails that is to blame.
   */
  #replace(error: Error): void {
    const running = this.#running()
    const [first] = running
    if (first && running.length === 1) {
      const [id, pending] = first
      this.#sent.delete(id)
      this.#settle(pending, () => pending.reject(error))
    } else {
      for (const [, pending] of running) pending.suspect = true
      this.#suspects += running.length
    }
    this.#queue.putBack(this.#takeSent())
    this.#start()
  }

  #takeSent(): Pending[] {
    const sent = [...this.#sent.values()]
    for (const pending of sent) {
      clearTimeout(pending.timer)
      pending.timer = undefined
    }
    this.#sent.clear()
    return sent
  }

  #rejectAll(error: Error): void {
    const all = [...this.#queue.takeAll(), ...this.#takeSent()]
    for (const pending of all) this.#settle(pending, () => pending.reject(error))
  }
}
