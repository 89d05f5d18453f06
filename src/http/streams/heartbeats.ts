export interface Heartbeats {
  /**
   * Calls `beat` once per interval, for the first time after half an interval at the earliest. Returns a function that
   * ends it.
   */
  join(beat: () => void): () => void
}

/** Parts of an interval. The streams of one part are called together. */
const PARTS = 100
/** The shortest part, in milliseconds. */
const MIN_PART = 10

/**
 * Creates the heartbeats of all streams, in milliseconds. One timer serves them. Streams are called in groups, so that
 * their reads share a query, and streams that opened at the same moment are spread over half of the interval.
 */
export function createHeartbeats(interval: number): Heartbeats {
  const count = Math.max(2, Math.min(PARTS, Math.floor(interval / MIN_PART)))
  const parts = Array.from({ length: count }, () => new Set<() => void>())
  let current = 0
  let size = 0
  let timer: NodeJS.Timeout | undefined

  function beatNext(): void {
    current = (current + 1) % count
    for (const beat of parts[current] as Set<() => void>) beat()
  }

  /** Returns the part with the fewest streams among those that are called after half an interval or later. */
  function emptiest(): Set<() => void> {
    let best = parts[current] as Set<() => void>
    for (let later = Math.ceil(count / 2); later < count; later++) {
      const part = parts[(current + later) % count] as Set<() => void>
      if (part.size < best.size) best = part
    }
    return best
  }

  return {
    join(beat) {
      // A separate function per stream, so that the same function can join twice.
      const own = (): void => beat()
      const part = emptiest()
      part.add(own)
      if (size++ === 0) timer = setInterval(beatNext, Math.max(1, interval / count)).unref()
      return () => {
        if (part.delete(own) && --size === 0) clearInterval(timer)
      }
    },
  }
}
