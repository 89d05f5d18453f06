import { setImmediate, setTimeout } from 'node:timers/promises'
import { FairShares } from '#core/fair-shares.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'

/** The first bytes of a message. Most messages need no more. */
export const FIRST_BYTES = 16 * 1024
/** The last part of the memory, of which a network gets no more than it leaves, so that a small message always fits. */
const RESERVE_BYTES = 512 * 1024
const RESERVE_PART = 1 / 32
/** How often messages that wait for memory check for it, in milliseconds. */
const CHECK_INTERVAL = 20

/**
 * The memory for messages of all SMTP sessions together, taken from the budget of the whole service if there is one.
 * The widest networks around clients have fair shares, so a few of them cannot take all of it. There are two exceptions
 * as long as more than a reserve is left: the only message of a network, because the largest message must fit, and the
 * first bytes of each message, so that its small messages do not wait for its large ones.
 */
export class SmtpMemoryBudget {
  readonly #limit: number
  readonly #service: MemoryBudget | undefined
  readonly #reserve: number
  readonly #onWait: () => void
  #used = 0
  readonly #shares = new FairShares(FIRST_BYTES)
  readonly #waits = new Set<Wait>()
  #isServing = false

  /** `onWait` is called when a message begins to wait for memory. */
  constructor(limit: number, service?: MemoryBudget, onWait: () => void = () => {}) {
    this.#limit = limit
    this.#service = service
    this.#onWait = onWait
    this.#reserve = Math.min(RESERVE_BYTES, limit * RESERVE_PART)
  }

  get used(): number {
    return this.#used
  }

  /** Returns the memory of a session in that network. Without a network, it may take all that is free. */
  of(network: string | undefined): SmtpMemory {
    const fits = (bytes: number, own: number): boolean => this.#fits(bytes, own, network)
    let wanted = 0
    return {
      wanted: () => wanted,
      heldByNetwork: () => this.#shares.heldBy(network),
      couldHold: (bytes) => bytes <= this.#limit,
      hasRoomFor: fits,
      take: (bytes, own) => {
        if (!fits(bytes, own) || this.#service?.take(bytes) === false) return false
        this.#add(bytes, network)
        return true
      },
      waitFor: async (bytes, own, { atLeast, isOver }) => {
        if (fits(bytes, own)) return true
        this.#onWait()
        // The wait is random, because messages that are refused at the same moment would not benefit from each other's
        // released memory.
        const deadline = performance.now() + atLeast * (1 + Math.random())
        wanted = bytes
        await this.#until(() => fits(bytes, own) || isOver() || performance.now() >= deadline)
        wanted = 0
        return fits(bytes, own)
      },
      give: (bytes) => {
        this.#add(-bytes, network)
        this.#service?.give(bytes)
      },
    }
  }

  #fits(bytes: number, own: number, network: string | undefined): boolean {
    const free = Math.min(this.#limit - this.#used, this.#service?.free ?? Infinity)
    const left = free - bytes
    if (network === undefined || left < 0) return left >= 0
    if (this.#shares.allows(network, bytes, free)) return true
    const held = this.#shares.heldBy(network)
    if (left < this.#reserve) return held + bytes <= left
    return held === own || own + bytes <= FIRST_BYTES
  }

  /** Resolves when `isOver` returns true. */
  #until(isOver: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waits.add({ isOver, resolve })
    if (!this.#isServing) void this.#serve()
    return promise
  }

  /** Ends waits that are over, in the order in which they began. */
  async #serve(): Promise<void> {
    this.#isServing = true
    while (this.#waits.size > 0) {
      await setTimeout(CHECK_INTERVAL)
      for (const wait of this.#waits) {
        if (!wait.isOver()) continue
        this.#waits.delete(wait)
        wait.resolve()
        // The message takes its memory before the next one looks for some.
        await setImmediate()
      }
    }
    this.#isServing = false
  }

  #add(bytes: number, network: string | undefined): void {
    this.#used += bytes
    this.#shares.add(network, bytes)
  }
}

interface Wait {
  isOver: () => boolean
  resolve: () => void
}

/** How long a message waits for memory: `atLeast` milliseconds, at most twice as long, and not after `isOver()`. */
export interface Patience {
  atLeast: number
  isOver: () => boolean
}

/** The memory for the messages of one session. `own` are the bytes that the message in question holds already. */
export interface SmtpMemory {
  /** The bytes that all messages of the network hold. 0 if there is none. */
  heldByNetwork(): number
  /** Whether `bytes` fit if no other message is being received. */
  couldHold(bytes: number): boolean
  /** Whether `bytes` more bytes are free now. */
  hasRoomFor(bytes: number, own: number): boolean
  /** Bytes for which the message waits. */
  wanted(): number
  /** Waits until `bytes` more bytes are free. Resolves with whether they are. */
  waitFor(bytes: number, own: number, patience: Patience): Promise<boolean>
  /** Takes bytes. Returns false and takes nothing if they are not free. */
  take(bytes: number, own: number): boolean
  give(bytes: number): void
}
