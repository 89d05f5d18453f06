import { Worker } from 'node:worker_threads'
import { MayflyError } from '#core/errors.ts'
import type { Trouble } from '#core/trouble.ts'
import { toError } from './errors.ts'
import {
  encode,
  type Job,
  type JobMode,
  type Response,
  type Statement,
  type StatementResult,
  type WalState,
} from './protocol.ts'
import type { SessionOptions } from './session.ts'

/** A thread with its own connection. If it dies, its pending jobs reject and the next job restarts it. */
export interface Thread {
  run(mode: JobMode, statements: Statement[]): Promise<StatementResult[]>
  /** The number of pending jobs. */
  readonly pending: number
  /** Completes the pending jobs, then closes the connection. Later jobs reject. */
  close(): Promise<void>
  /** Terminates the thread at once, like a crash. */
  kill(): Promise<void>
}

interface ThreadOptions {
  name: string
  session: SessionOptions
  onWrite?: (wal: WalState) => void
  onDeath?: (error: unknown) => void
  /** Called with each job that fails because database files were removed or replaced. */
  onMoved?: (error: Error) => void
  /** Learns that the disk is full, and later that something could be written. */
  disk?: Trouble
}

interface Waiting {
  resolve: (results: StatementResult[]) => void
  reject: (error: Error) => void
}

export function createThread({ name, session, onWrite, onDeath, onMoved, disk }: ThreadOptions): Thread {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let outbox: Job[] = []
  let lastId = 0
  let closed = false

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), { workerData: session, name })
    let cause: unknown
    started.on('message', receive)
    started.on('error', (error) => (cause = error))
    started.on('exit', () => {
      if (worker !== started) return
      worker = undefined
      for (const { reject } of waiting.values()) reject(new MayflyError('store_unavailable', undefined, { cause }))
      waiting.clear()
      // These jobs have been rejected with the others, so they must not run later.
      outbox = []
      if (!closed) onDeath?.(cause)
    })
    // An idle thread must not keep the process alive; a busy one must.
    started.unref()
    return started
  }

  function receive({ answers, wal }: Response): void {
    let isFull = false
    for (const answer of answers) {
      const entry = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('error' in answer) {
        const error = toError(answer.error)
        if (answer.error.code === 'moved') onMoved?.(error)
        if (answer.error.code === 'disk_full') {
          isFull = true
          disk?.start(error)
        }
        entry?.reject(error)
      } else entry?.resolve(answer.results)
    }
    // Not while it closes: otherwise the process would exit before the thread has closed the database.
    if (waiting.size === 0 && !closed) worker?.unref()
    if (wal && !isFull) disk?.end()
    if (wal) onWrite?.(wal)
  }

  function flush(): void {
    if (outbox.length === 0) return
    const request = encode(outbox)
    outbox = []
    worker ??= start()
    worker.ref()
    worker.postMessage(request, [request.blobs.buffer])
  }

  return {
    get pending() {
      return waiting.size
    },

    run(mode, statements) {
      if (closed) return Promise.reject(new MayflyError('store_unavailable', 'The store is closed'))
      return new Promise((resolve, reject) => {
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        // All jobs of one turn of the event loop are sent together: nextTick runs after all pending promise callbacks.
        if (outbox.push({ id, mode, statements }) === 1) process.nextTick(flush)
      })
    },

    async close() {
      closed = true
      flush()
      if (!worker) return
      const { promise, resolve } = Promise.withResolvers<void>()
      worker.ref()
      worker.once('exit', () => resolve())
      worker.postMessage('close')
      await promise
    },

    async kill() {
      await worker?.terminate()
    },
  }
}
