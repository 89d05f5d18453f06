import { MayflyError } from '#core/errors.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'

/** Opens mail for visitors: few of one at a time, and no more of all than there is memory for. */
export interface Readings {
  /** Runs `work` on a mail of so many bytes when it is its turn. Rejects with `too_many_requests` where too many of this reader wait. */
  run<T>(reader: string, bytes: number, work: () => Promise<T>): Promise<T>
}

export interface ReadingsDeps {
  memory: MemoryBudget
  /** Readings of one reader that run, and that wait. */
  atOnce: number
  maxWaiting: number
}

/** A mail that is opened: sealed, open, a copy for the thread, its parts, and what is made of them. */
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

  /** The place goes to the next one, if any. */
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
