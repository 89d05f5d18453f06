/** Smaller buffers may be part of a shared pool, and the garbage collector frees them soon enough. */
const FREE_FROM_BYTES = 256 * 1024

/**
 * Frees the memory of a large buffer at once; nothing may use the bytes afterwards. Each thread would otherwise keep tens of
 * megabytes until its garbage collector runs. Leaves buffers below 256 KiB to the garbage collector.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= FREE_FROM_BYTES) buffer.transfer(0)
}

/** Gives back what was lent; the second call does nothing. */
export type GiveBack = () => void

interface Waiting {
  bytes: number
  resolve: (giveBack: GiveBack) => void
}

/**
 * The bytes that all copies of mail may take at one time: what is received, sealed, read and forwarded counts against one number.
 * Whoever receives must leave a part of it free, so that what is complete can always go on.
 */
export class MemoryBudget {
  readonly limit: number
  #used = 0
  /** Lent to those who wait for it: one at least is always served. */
  #lent = 0
  readonly #urgent: Waiting[] = []
  readonly #others: Waiting[] = []

  constructor(limit: number) {
    this.limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** Takes so many bytes; false, and nothing taken, where they aren't free. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.limit) return false
    this.#used += bytes
    return true
  }

  give(bytes: number): void {
    this.#used -= bytes
    this.#next()
  }

  /** Lends bytes where they are free at this moment, and nobody waits for them. */
  tryLend(bytes: number): GiveBack | undefined {
    return this.#first() ? undefined : this.#lend(bytes)
  }

  /**
   * Lends bytes as soon as they are free: first to those who ask with `urgent`, since a person waits for them, then in the order
   * of the calls. One that asks for more than there is gets it when nothing else is lent.
   */
  async lend(bytes: number, { urgent = false } = {}): Promise<GiveBack> {
    const at = this.tryLend(bytes)
    if (at) return at
    return new Promise((resolve) => (urgent ? this.#urgent : this.#others).push({ bytes, resolve }))
  }

  #first(): Waiting | undefined {
    return this.#urgent[0] ?? this.#others[0]
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
      ;(this.#urgent[0] === first ? this.#urgent : this.#others).shift()
      first.resolve(giveBack)
    }
  }
}
