import { setTimeout } from 'node:timers/promises'
import { FairShares } from '#core/fair-shares.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'
import { sharingNetwork } from '#core/networks.ts'

/** The first bytes of a message. Most messages need no more. */
export const FIRST_BYTES = 16 * 1024
/** The last part of the memory, of which a network gets no more than it leaves, so that a small message always fits. */
const RESERVE_BYTES = 512 * 1024
const RESERVE_PART = 1 / 32
/** How often a message that waits for memory checks for it, in milliseconds. */
const CHECK_INTERVAL = 20

/**
 * The memory for messages of all SMTP sessions together, taken from the budget of the whole service if there is one.
 * The widest networks around clients have fair shares, so a few of them cannot take all of it. There are two exceptions
 * as long as more than a reserve is left: the only message of a network, because the largest message must fit, and the
 * first bytes of each message, so that its small messages do not wait for its large ones.
 */
export class SmtpMemoryBudget {
  /** Called when a message begins to wait for memory. */
  onWait: () => void = () => {}
  readonly #limit: number
  readonly #service: MemoryBudget | undefined
  readonly #reserve: number
  #used = 0
  readonly #shares = new FairShares(FIRST_BYTES)

  constructor(limit: number, service?: MemoryBudget) {
    this.#limit = limit
    this.#service = service
    this.#reserve = Math.min(RESERVE_BYTES, limit * RESERVE_PART)
  }

  get used(): number {
    return this.#used
  }

  /** Returns the memory of a client. Clients without an address and on this machine may take all that is free. */
  of(address: string | undefined): SmtpMemory {
    const network = address === undefined ? undefined : sharingNetwork(address)
    const { onWait } = this
    const fits = (bytes: number, own: number): boolean => this.#fits(bytes, own, network)
    return {
      network,
      wanted: 0,
      heldByNetwork: () => this.#shares.heldBy(network),
      couldHold: (bytes) => bytes <= this.#limit,
      hasRoomFor: fits,
      take: (bytes, own) => {
        if (!fits(bytes, own) || this.#service?.take(bytes) === false) return false
        this.#add(bytes, network)
        return true
      },
      async waitFor(bytes, own, { atLeast, isOver }) {
        if (fits(bytes, own)) return true
        onWait()
        // The wait is random, because messages that are refused at the same moment would not benefit from each other's
        // released memory.
        const deadline = performance.now() + atLeast * (1 + Math.random())
        this.wanted = bytes
        while (!fits(bytes, own) && !isOver() && performance.now() < deadline) await setTimeout(CHECK_INTERVAL)
        this.wanted = 0
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

  #add(bytes: number, network: string | undefined): void {
    this.#used += bytes
    this.#shares.add(network, bytes)
  }
}

/** How long a message waits for memory: `atLeast` milliseconds, at most twice as long, and not after `isOver()`. */
export interface Patience {
  atLeast: number
  isOver: () => boolean
}

/** The memory for the messages of one client. `own` are the bytes that the message in question holds already. */
export interface SmtpMemory {
  /** The network whose share it is. Undefined for clients without limits. */
  readonly network: string | undefined
  /** The bytes that all messages of the network hold. 0 if there is none. */
  heldByNetwork(): number
  /** Whether `bytes` fit if no other message is being received. */
  couldHold(bytes: number): boolean
  /** Whether `bytes` more bytes are free now. */
  hasRoomFor(bytes: number, own: number): boolean
  /** Bytes for which a message waits. */
  wanted: number
  /** Waits until `bytes` more bytes are free. Resolves with whether they are. */
  waitFor(bytes: number, own: number, patience: Patience): Promise<boolean>
  /** Takes bytes. Returns false and takes nothing if they are not free. */
  take(bytes: number, own: number): boolean
  give(bytes: number): void
}
