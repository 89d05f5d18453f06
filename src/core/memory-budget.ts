/** More than `Buffer.poolSize`, because the buffers of a pool share their memory. */
const FREE_FROM_BYTES = 96 * 1024

/**
 * Frees the memory of a large buffer at once; nothing may use the bytes afterwards. Each thread would otherwise keep
 * tens of megabytes until its garbage collector runs. Leaves buffers below 96 KiB to the garbage collector.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= FREE_FROM_BYTES) buffer.transfer(0)
}

/** Returns the lent bytes to the budget. A second call does nothing. */
export type GiveBack = () => void

interface Waiting {
  bytes: number
  resolve: (giveBack: GiveBack) => void
}

/**
 * Limits the bytes of all copies of messages in memory, whether they are received, sealed, read or forwarded. The
 * receiver must leave part of the budget free, so that complete messages can always be processed.
 */
export class MemoryBudget {
  readonly limit: number
  #used = 0
  /** Bytes that are lent. If none are, the next request is served whatever its size. */
  #lent = 0
  readonly #urgent: Waiting[] = []
  readonly #normal: Waiting[] = []

  constructor(limit: number) {
    this.limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** Takes bytes. Returns false, and takes nothing, if they are not free. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.limit) return false
    this.#used += bytes
    return true
  }

  give(bytes: number): void {
    this.#used -= bytes
    this.#next()
  }

  /** Lends bytes if they are free now and no request waits. */
  tryLend(bytes: number): GiveBack | undefined {
    return this.#first() ? undefined : this.#lend(bytes)
  }

  /**
   * Lends bytes as soon as they are free: to `urgent` requests first, because a user waits for them, then in the order
   * of the calls. A request beyond the limit is served when nothing else is lent.
   */
  async lend(bytes: number, { urgent = false } = {}): Promise<GiveBack> {
    const at = this.tryLend(bytes)
    if (at) return at
    return new Promise((resolve) => (urgent ? this.#urgent : this.#normal).push({ bytes, resolve }))
  }

  #first(): Waiting | undefined {
    return this.#urgent[0] ?? this.#normal[0]
  }

  #lend(bytes: number): GiveBack | undefined {
    if (this.#lent > 0 && this.#used + bytes > this.limit) return undefined
    this.#used += bytes
    this.#lent += bytes
    let lent = true
    return () => {
      if (!lent) return
      lent = false
      this.#lent -= bytes
      this.give(bytes)
    }
  }

  #next(): void {
    for (let first = this.#first(); first; first = this.#first()) {
      const giveBack = this.#lend(first.bytes)
      if (!giveBack) return
      ;(this.#urgent[0] === first ? this.#urgent : this.#normal).shift()
      first.resolve(giveBack)
    }
  }
}
