import type { Network } from './networks.ts'

interface Taken {
  allowed: boolean
  remaining: number
  /** Seconds until the bucket is full, and until a retry can succeed (0 if the request was allowed). */
  reset: number
  retryAfter: number
}

/** One key, or nested networks: all their buckets must have the tokens. */
export type Holder = string | readonly Network[]

interface Step {
  key: string
  /** Tokens to take from its bucket: a network with ten times the allowance pays a tenth. */
  cost: number
  /** Tokens missing until its bucket is full. */
  missing: number
}

/** Sums of fractions are inexact; a smaller part of a token counts as zero. */
const NOTHING = 1e-6

/**
 * Token buckets: each key gets `burst` tokens at once, then one per `interval` milliseconds. `clock` returns
 * milliseconds of a monotonic clock (`performance.now`): if a wall clock were set back, all clients would have to wait
 * until it catches up.
 */
export class TokenBuckets {
  readonly burst: number
  /** Maps a holder to the key of its bucket. Buckets that nodes share use keys that do not reveal the holder. */
  nameOf: (holder: string) => string = (holder) => holder
  /** Called with the key and the number of taken tokens; negative if tokens are returned. */
  onTaken: (key: string, tokens: number) => void = () => {}
  readonly #interval: number
  readonly #clock: () => number
  /** When the bucket of each key will be full; keys that are missing here have a full bucket. */
  readonly #fullAt = new Map<string, number>()

  constructor(burst: number, interval: number, clock: () => number) {
    this.burst = burst
    this.#interval = interval
    this.#clock = clock
  }

  /**
   * Takes tokens from the buckets of all networks, or from none. A full bucket grants a request for more tokens
   * than it holds, because that request would otherwise wait forever.
   */
  take(holder: Holder, tokens = 1): Taken {
    const steps = this.#steps(holder, tokens)
    const wait = this.#wait(steps)
    const allowed = wait === 0
    if (allowed) this.#move(steps, 1)
    const after = steps.map(({ missing, cost }) => missing + (allowed ? cost : 0))
    const left = steps.map(({ cost }, index) => ((this.burst - (after[index] ?? 0)) * tokens) / cost)
    const seconds = (missing: number): number => Math.max(0, Math.ceil((missing * this.#interval - NOTHING) / 1000))
    return {
      allowed,
      remaining: Math.max(0, Math.floor(Math.min(...left) + NOTHING)),
      reset: seconds(Math.max(0, ...after)),
      retryAfter: allowed ? 0 : Math.max(1, seconds(wait)),
    }
  }

  /** Whether `take` would grant so many tokens. */
  has(holder: Holder, tokens = 1): boolean {
    return this.#wait(this.#steps(holder, tokens)) === 0
  }

  /** Takes tokens even if they are not available, as a debt. */
  owe(holder: Holder, tokens = 1): void {
    this.#move(this.#steps(holder, tokens), 1)
  }

  /** Returns tokens that were taken but not used. */
  give(holder: Holder, tokens = 1): void {
    this.#move(this.#steps(holder, tokens), -1)
  }

  /** Counts tokens that another node granted. They may exceed what is available, or be negative. */
  debit(key: string, tokens: number): void {
    const now = this.#clock()
    this.#remember(key, Math.max(now, this.#fullAt.get(key) ?? 0) + tokens * this.#interval, now)
  }

  #steps(holder: Holder, tokens: number): Step[] {
    const now = this.#clock()
    const networks = typeof holder === 'string' ? [{ name: holder, times: 1 }] : holder
    return networks.map(({ name, times }) => {
      const key = this.nameOf(name)
      return { key, cost: tokens / times, missing: Math.max(0, (this.#fullAt.get(key) ?? 0) - now) / this.#interval }
    })
  }

  /** Returns how many tokens must be refilled until all buckets can grant the cost. */
  #wait(steps: readonly Step[]): number {
    const waits = steps.map(({ cost, missing }) => (missing === 0 ? 0 : missing + cost - this.burst))
    const wait = Math.max(0, ...waits)
    return wait <= NOTHING ? 0 : wait
  }

  #move(steps: readonly Step[], by: 1 | -1): void {
    for (const { key, cost } of steps) {
      this.debit(key, by * cost)
      this.onTaken(key, by * cost)
    }
  }

  #remember(key: string, fullAt: number, now: number): void {
    // Full buckets come first because the map keeps the order of the last use.
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
    for (const [oldest, at] of this.#fullAt) {
      if (at > now) break
      this.#fullAt.delete(oldest)
    }
  }
}
