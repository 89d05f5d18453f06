import { Worker } from 'node:worker_threads'
import type { BoxPlace, SealItem } from '#core/mailbox/box.ts'
import type { Sealer } from '#core/mailbox/mail-reader.ts'

export interface SealerOptions {
  /** See `sealAll`. */
  boundFrom?: number
}

/** A group of plaintexts. They are in one buffer, which is transferred to the thread instead of copied again. */
export interface SealJob {
  id: number
  publicKeys: Uint8Array[]
  places: BoxPlace[]
  lengths: number[]
  plaintexts: Uint8Array
}

export interface SealResult {
  id: number
  sealed: Uint8Array[]
}

function pack(items: readonly SealItem[]): Omit<SealJob, 'id'> {
  const lengths = items.map(({ plaintext }) => plaintext.length)
  const plaintexts = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const { plaintext } of items) {
    plaintexts.set(plaintext, at)
    at += plaintext.length
  }
  // Public keys are copied, because the whole pool behind a pooled buffer would be cloned.
  return {
    publicKeys: items.map(({ publicKey }) => new Uint8Array(publicKey)),
    places: items.map(({ place }) => place),
    lengths,
    plaintexts,
  }
}

/**
 * Creates a sealer that compresses and seals groups in a separate thread, so that it never blocks the event loop. A
 * group fails only if the thread fails. Later groups use a new thread.
 */
export function createSealer({ boundFrom = 0 }: SealerOptions = {}): Sealer {
  const jobs = new Map<number, PromiseWithResolvers<Uint8Array[]>>()
  let nextId = 0
  let closing = false
  let worker = start()

  function start(): Worker {
    const thread = new Worker(new URL('./sealer-worker.ts', import.meta.url), { workerData: { boundFrom } })
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
      if (closing) return Promise.reject(new Error('The sealer is closed'))
      const job = Promise.withResolvers<Uint8Array[]>()
      const id = nextId++
      jobs.set(id, job)
      worker.ref()
      const packed = pack(items)
      worker.postMessage({ id, ...packed } satisfies SealJob, [packed.plaintexts.buffer as ArrayBuffer])
      return job.promise
    },
    async close() {
      closing = true
      await Promise.allSettled(Array.from(jobs.values(), ({ promise }) => promise))
      await worker.terminate()
    },
  }
}
