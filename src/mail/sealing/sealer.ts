import { Worker } from 'node:worker_threads'
import type { Sealer } from '#core/ports.ts'

type Items = Parameters<Sealer['seal']>[0]

export interface SealJob {
  id: number
  items: Items
}

export interface SealResult {
  id: number
  sealed: Uint8Array[]
}

/** Seals in a thread of its own, a batch at a time, so that compression never holds the event loop up. */
export function createSealer(): Sealer {
  const jobs = new Map<number, PromiseWithResolvers<Uint8Array[]>>()
  let nextId = 0
  let closing = false
  let worker = start()

  function start(): Worker {
    const thread = new Worker(new URL('./sealer-worker.ts', import.meta.url))
    thread.unref()
    thread.on('message', ({ id, sealed }: SealResult) => {
      jobs.get(id)?.resolve(sealed)
      jobs.delete(id)
      if (jobs.size === 0) thread.unref()
    })
    thread.on('error', (error) => {
      for (const job of jobs.values()) job.reject(error)
      jobs.clear()
      if (!closing) worker = start()
    })
    return thread
  }

  return {
    seal(items) {
      const job = Promise.withResolvers<Uint8Array[]>()
      const id = nextId++
      jobs.set(id, job)
      worker.ref()
      worker.postMessage({ id, items } satisfies SealJob)
      return job.promise
    },
    async close() {
      closing = true
      await Promise.allSettled(Array.from(jobs.values(), ({ promise }) => promise))
      await worker.terminate()
    },
  }
}
