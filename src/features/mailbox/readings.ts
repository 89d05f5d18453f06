import { MayflyError } from '#core/errors.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'

/**
 * Opens messages for readers. Limits the number of messages that one reader has open at the same time, and the memory
 * of all open messages together.
 */
export interface Readings {
  /**
   * Runs `work` on a message of `bytes` bytes as soon as the limits allow. Rejects with `too_many_requests` if too many
   * calls of this reader are waiting.
   */
  run<T>(reader: string, bytes: number, work: () => Promise<T>): Promise<T>
}

export interface ReadingsDeps {
  memory: MemoryBudget
  /** The maximum number of readings of one reader that run at once. */
  atOnce: number
  /** The maximum number of readings of one reader that wait. */
  maxWaiting: number
}

/** Copies of an open message in memory: sealed, opened, a copy for the thread, its parts, and the result. */
const COPIES = 5

interface Reader {
  running: number
  waiting: (() => void)[]
}

export function createReadings({ memory, atOnce, maxWaiting }: ReadingsDeps): Readings {
  const readers = new Map<string, Reader>()

  async function enter(name: string): Promise<Reader> {
    const reader = readers.get(name) ?? { running: 0, waiting: [] }
    readers.set(name, reader)
    if (reader.running < atOnce) {
      reader.running++
      return reader
    }
    if (reader.waiting.length >= maxWaiting) {
      throw new MayflyError('too_many_requests', 'Too many messages of this address are being opened')
    }
    await new Promise<void>((resolve) => reader.waiting.push(resolve))
    return reader
  }

  /** Passes the slot to the next waiting call, or frees it. */
  function leave(name: string, reader: Reader): void {
    const next = reader.waiting.shift()
    if (next) return next()
    reader.running--
    if (reader.running === 0) readers.delete(name)
  }

  return {
    async run(name, bytes, work) {
      const reader = await enter(name)
      try {
        const giveBack = await memory.lend(bytes * COPIES, { urgent: true })
        try {
          return await work()
        } finally {
          giveBack()
        }
      } finally {
        leave(name, reader)
      }
    },
  }
}
