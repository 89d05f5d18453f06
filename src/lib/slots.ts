interface Slots {
  /** Runs `work` as soon as a slot is free, in the order of the calls. Throws `refusal()` if too many calls are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Whether nothing runs and nothing waits. */
  isIdle(): boolean
}

export interface SlotsOptions {
  /** The maximum number of calls that run at the same time. */
  atOnce: number
  maxWaiting: number
  refusal: () => Error
}

export function createSlots({ atOnce, maxWaiting, refusal }: SlotsOptions): Slots {
  const waiting: (() => void)[] = []
  let running = 0

  return {
    async run(work) {
      if (running < atOnce) running++
      else if (waiting.length >= maxWaiting) throw refusal()
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        // Passes the slot on, or frees it.
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
    isIdle: () => running === 0,
  }
}

/** Slots of their own for each key, such as a visitor. */
interface KeyedSlots {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createKeyedSlots(options: SlotsOptions): KeyedSlots {
  const all = new Map<string, Slots>()

  return {
    async run(key, work) {
      const slots = all.get(key) ?? createSlots(options)
      all.set(key, slots)
      try {
        return await slots.run(work)
      } finally {
        // A concurrent call may already have removed these slots, and another one may have made new ones.
        if (slots.isIdle() && all.get(key) === slots) all.delete(key)
      }
    },
  }
}

/** Runs the calls of each key one after the other. Any number may wait. */
export const createTurns = (): KeyedSlots =>
  createKeyedSlots({ atOnce: 1, maxWaiting: Infinity, refusal: () => new Error('No call is refused') })
