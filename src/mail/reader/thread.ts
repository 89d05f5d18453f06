import { Worker } from 'node:worker_threads'
import type { Answer, Job, JobResults, Request, WorkerOptions } from './jobs.ts'

export interface ThreadOptions extends WorkerOptions {
  /** Milliseconds one job may take. */
  timeout: number
  /** Bytes of heap that the thread may use. */
  memory: number
  /** Jobs that run side by side: one where they burn the processor, many where they wait for the network. */
  concurrency: number
}

interface Pending {
  job: Job
  resolve: (result: JobResults[Job['kind']]) => void
  reject: (error: Error) => void
  timer?: NodeJS.Timeout
}

/** One reader thread and its queue. A job that overruns takes the thread with it; the others are done by the next one. */
export class ReaderThread {
  readonly #options: ThreadOptions
  readonly #queue: Pending[] = []
  readonly #running = new Map<number, Pending>()
  #worker: Worker
  #nextId = 0
  #closed = false

  constructor(options: ThreadOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  get backlog(): number {
    return this.#queue.length + this.#running.size
  }

  /** Rejects when the job overruns its time or memory, or the mail is over a limit. */
  run<Kind extends Job['kind']>(job: Extract<Job, { kind: Kind }>): Promise<JobResults[Kind]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, resolve: resolve as Pending['resolve'], reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const pending of [...this.#queue.splice(0), ...this.#takeRunning()])
      pending.reject(new Error('The reader is closed'))
    await this.#worker.terminate()
  }

  #start(): Worker {
    const { limits, authentication, memory } = this.#options
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { limits, authentication } satisfies WorkerOptions,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / 1024 / 1024) },
    })
    worker.unref()
    worker.on('message', (answer: Answer) => this.#settle(answer))
    worker.on('error', (error: unknown) =>
      this.#replace(worker, error instanceof Error ? error : new Error(String(error))),
    )
    return worker
  }

  #next(): void {
    while (this.#running.size < this.#options.concurrency) {
      const pending = this.#queue.shift()
      if (!pending) return
      const id = this.#nextId++
      pending.timer = setTimeout(() => this.#overrun(id), this.#options.timeout)
      this.#running.set(id, pending)
      this.#worker.postMessage({ id, job: pending.job } satisfies Request)
    }
  }

  #settle(answer: Answer): void {
    const pending = this.#running.get(answer.id)
    if (!pending) return
    this.#running.delete(answer.id)
    clearTimeout(pending.timer)
    if ('error' in answer) pending.reject(new Error(answer.error))
    else pending.resolve(answer.result)
    this.#next()
  }

  #overrun(id: number): void {
    const pending = this.#running.get(id)
    this.#running.delete(id)
    pending?.reject(new Error('The mail took too long'))
    void this.#worker.terminate()
    this.#replace(this.#worker)
  }

  /** With an error, what ran dies with it; without one, the others just begin again. */
  #replace(worker: Worker, error?: Error): void {
    if (this.#closed || worker !== this.#worker) return
    const interrupted = this.#takeRunning()
    this.#worker = this.#start()
    if (error) for (const pending of interrupted) pending.reject(error)
    else this.#queue.unshift(...interrupted)
    this.#next()
  }

  #takeRunning(): Pending[] {
    const running = [...this.#running.values()]
    for (const { timer } of running) clearTimeout(timer)
    this.#running.clear()
    return running
  }
}
