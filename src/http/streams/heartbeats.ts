export interface Heartbeats {
  /**
   * Calls `beat` once per interval, the first time after between half an interval and a whole one. Returns a function that
   * stops it.
   */
  join(beat: () => void): () => void
  /** Calls all streams now. */
  beatAll(): void
}

/** An interval has this many parts. Each stream belongs to one part, and the streams of a part are called together. */
const PARTS = 100
/** The shortest part, in milliseconds. */
const MIN_PART = 10

/**
 * Creates the heartbeats of all streams with one timer. `interval`: milliseconds. Streams are called in groups, so that
 * their reads share a query. Streams that opened at the same time are spread over half of the interval.
 */
export function createHeartbeats(interval: number): Heartbeats {
  const count = Math.max(2, Math.min(PARTS, Math.floor(interval / MIN_PART)))
  const parts = Array.from({ length: count }, () => new Set<() => void>())
  const length = interval / count
  /** The part that was called last, counted from the moment `begun`. */
  let current = 0
  let begun = 0
  let size = 0
  let timer: NodeJS.Timeout | undefined

  const part = (at: number): Set<() => void> => parts[at % count] as Set<() => void>

  /** Calls the parts that are due according to the clock, because timers run late and their delays would add up. */
  function beatDue(): void {
    const due = Math.floor((performance.now() - begun) / length)
    // After a long pause, each stream is called once.
    current = Math.max(current, due - count)
    while (current < due) for (const beat of part(++current)) beat()
  }

  /** Returns the part with the fewest streams among those that are not called within half an interval. */
  function emptiest(): Set<() => void> {
    let best = part(current)
    for (let later = Math.floor(count / 2) + 1; later < count; later++) {
      const candidate = part(current + later)
      if (candidate.size < best.size) best = candidate
    }
    return best
  }

  function start(): void {
    begun = performance.now() - current * length
    timer = setInterval(beatDue, Math.max(1, length)).unref()
  }

  return {
    join(beat) {
      // A separate function per stream, so that the same function can join twice.
      const own = (): void => beat()
      const joined = emptiest()
      joined.add(own)
      if (size++ === 0) start()
      return () => {
        if (joined.delete(own) && --size === 0) clearInterval(timer)
      }
    },
    beatAll() {
      for (const beats of parts) for (const beat of beats) beat()
    },
  }
}
