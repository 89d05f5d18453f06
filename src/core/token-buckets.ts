import type { Network } from './networks.ts'

export interface Taken {
  allowed: boolean
  remaining: number
  /** Seconds until the bucket is full, and, where nothing was left, until there is one again. */
  reset: number
  retryAfter: number
}

/** One key, or networks that contain each other: all of them must have what is taken. */
export type Holder = string | readonly Network[]

interface Step {
  key: string
  /** Tokens of its bucket: a network that may have ten times as much pays a tenth. */
  cost: number
  /** Tokens that its bucket has less than when it is full. */
  missing: number
}

/** Sums of fractions are not exact; so much of a token is nothing. */
const NOTHING = 1e-6

/**
 * Token buckets: `burst` at once, then one each `interval` milliseconds, for every key. `clock` gives milliseconds of a clock
 * that never goes back (`performance.now`): a wall clock that is set back would keep everybody waiting until it catches up.
 */
export class TokenBuckets {
  readonly burst: number
  /** The key of a bucket; where buckets are shared it does not say whose it is. */
  nameOf: (holder: string) => string = (holder) => holder
  /** Called with the key and the tokens that are given; below 0 where they are given back. */
  onTaken: (key: string, tokens: number) => void = () => {}
  /** Whether a request is not counted at all. */
  spares: (request: object) => boolean = () => false
  readonly #interval: number
  readonly #clock: () => number
  /** When the bucket of a key will be full; a key that is not there is full. */
  readonly #fullAt = new Map<string, number>()

  constructor(burst: number, interval: number, clock: () => number) {
    this.burst = burst
    this.#interval = interval
    this.#clock = clock
  }

  /** Takes tokens of all networks, or of none. A full bucket gives more than it holds, so that nothing has to wait for ever. */
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

  /** Whether `take` would give so many. */
  has(holder: Holder, tokens = 1): boolean {
    return this.#wait(this.#steps(holder, tokens)) === 0
  }

  /** Takes tokens also where they are not there: they are owed. */
  owe(holder: Holder, tokens = 1): void {
    this.#move(this.#steps(holder, tokens), 1)
  }

  /** Gives tokens back that were taken for nothing. */
  give(holder: Holder, tokens = 1): void {
    this.#move(this.#steps(holder, tokens), -1)
  }

  /** Counts tokens that were given elsewhere; they may be more than there are, or below 0. */
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

  /** Tokens that must come until all of them have what it costs. */
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
    // Full buckets stand first, for the map is kept in the order of the last use.
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
    for (const [oldest, at] of this.#fullAt) {
      if (at > now) break
      this.#fullAt.delete(oldest)
    }
  }
}
