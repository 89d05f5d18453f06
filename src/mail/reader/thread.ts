import { Worker } from 'node:worker_threads'
import { MayflyError } from '#core/errors.ts'
import { JobQueue, type JobTurn } from './job-queue.ts'
import type { Answer, Job, JobResults, Request, Result } from './jobs.ts'

export interface ThreadOptions {
  /** The file the thread runs, and what it gets. */
  entry: URL
  workerData: unknown
  /** Milliseconds one job may take. */
  timeout: number
  /** Bytes of heap that the thread may use. */
  memory: number
  /** Jobs that run side by side: one where they burn the processor, many where they wait for the network. */
  concurrency: number
  /** Bytes of mail that may wait or be worked on; what comes on top is refused, so that a queue never fills the memory. */
  queueBytes: number
  /** Milliseconds without a job after which the thread ends and gives its memory back; undefined: it stays. */
  idle?: number
}

interface Pending {
  job: Job
  turn: JobTurn
  resolve: (result: Result) => void
  reject: (error: Error) => void
  timer?: NodeJS.Timeout
}

/** What the job itself rejected with; the thread is well. */
export class JobError extends Error {
  override readonly name = 'JobError'
}

/** For jobs among which order is all the same. */
const NO_TURN: JobTurn = { outer: '', inner: '', waited: false }
/** What a waiting job weighs besides its mail. */
const JOB_BYTES = 4096
const weightOf = ({ job }: Pending): number => job.raw.length + JOB_BYTES

/**
 * One reader thread and its queue. A job that overruns takes the thread with it and fails alone; what waits is done by the
 * next thread. Rejects with `unavailable` what is not the mail's fault: a full queue, a closed reader.
 */
export class ReaderThread {
  readonly #options: ThreadOptions
  readonly #queue = new JobQueue<Pending>()
  readonly #running = new Map<number, Pending>()
  #worker: Worker | undefined
  #ready = false
  #bytes = 0
  #nextId = 0
  #closed = false
  #idleTimer: NodeJS.Timeout | undefined

  /** A thread that ends when it is idle begins with its first job, too. */
  constructor(options: ThreadOptions) {
    this.#options = options
    if (options.idle === undefined) this.#start()
  }

  get backlog(): number {
    return this.#queue.length + this.#running.size
  }

  /** Rejects when the job overruns its time or memory, or the mail is over a limit. */
  run<Kind extends Job['kind']>(job: Extract<Job, { kind: Kind }>, turn = NO_TURN): Promise<JobResults[Kind]> {
    return new Promise((resolve, reject) => {
      const pending: Pending = { job, turn, resolve: resolve as Pending['resolve'], reject }
      const full = this.#bytes + weightOf(pending) > this.#options.queueBytes && this.backlog > 0
      if (this.#closed || full) return reject(new MayflyError('unavailable', 'Too much mail waits to be read'))
      clearTimeout(this.#idleTimer)
      this.#bytes += weightOf(pending)
      this.#queue.push(pending)
      if (!this.#worker) this.#start()
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idleTimer)
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
    worker.on('message', (answer: Answer) => this.#hear(answer))
    worker.on('error', (error: unknown) => this.#died(worker, error))
    worker.on('exit', (code) => this.#died(worker, new Error(`The reader thread ended with ${code}`)))
    this.#worker = worker
    this.#ready = false
  }

  #next(): void {
    while (this.#ready && this.#running.size < this.#options.concurrency) {
      const pending = this.#queue.take()
      if (!pending) return
      const id = this.#nextId++
      pending.timer = setTimeout(() => this.#overrun(id), this.#options.timeout)
      this.#running.set(id, pending)
      // A copy of its own: the memory of a pooled buffer would be cloned whole, and the mail is needed if the thread dies.
      const raw = new Uint8Array(pending.job.raw)
      const request: Request = { id, job: { ...pending.job, raw } }
      this.#worker?.postMessage(request, [raw.buffer])
    }
  }

  #hear(answer: Answer): void {
    if ('ready' in answer) this.#ready = true
    else {
      const pending = this.#running.get(answer.id)
      this.#running.delete(answer.id)
      if (pending && 'error' in answer) this.#settle(pending, () => pending.reject(new JobError(answer.error)))
      else if (pending && 'result' in answer) this.#settle(pending, () => pending.resolve(answer.result))
    }
    this.#next()
  }

  #settle(pending: Pending, how: () => void): void {
    clearTimeout(pending.timer)
    this.#bytes -= weightOf(pending)
    how()
    if (this.#bytes === 0 && this.#options.idle !== undefined && !this.#closed) {
      this.#idleTimer = setTimeout(() => this.#rest(), this.#options.idle).unref()
    }
  }

  #rest(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  /** The job that took too long fails; those that ran beside it begin again, in front of all others. */
  #overrun(id: number): void {
    const pending = this.#running.get(id)
    this.#running.delete(id)
    if (pending) this.#settle(pending, () => pending.reject(new Error('The mail took too long')))
    const worker = this.#worker
    this.#queue.putBack(this.#takeRunning())
    this.#start()
    void worker?.terminate()
  }

  /** What ran when the thread died is what killed it. Before it was ready, the thread itself is broken: no use in trying on. */
  #died(worker: Worker, reason: unknown): void {
    if (this.#closed || worker !== this.#worker) return
    const error = reason instanceof Error ? reason : new Error(String(reason))
    if (!this.#ready) {
      this.#worker = undefined
      this.#rejectAll(new MayflyError('unavailable', 'The reader does not start', { cause: error }))
      return
    }
    for (const pending of this.#takeRunning()) this.#settle(pending, () => pending.reject(error))
    this.#start()
  }

  #takeRunning(): Pending[] {
    const running = [...this.#running.values()]
    for (const { timer } of running) clearTimeout(timer)
    this.#running.clear()
    return running
  }

  #rejectAll(error: Error): void {
    const all = [...this.#queue.takeAll(), ...this.#takeRunning()]
    for (const pending of all) this.#settle(pending, () => pending.reject(error))
  }
}
