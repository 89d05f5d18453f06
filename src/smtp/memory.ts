import { FairShares } from '#core/fair-shares.ts'
import type { MemoryBudget } from '#core/memory-budget.ts'
import { sharingNetwork } from '#core/networks.ts'

/** The first bytes of a message. Most messages need no more. */
export const FIRST_BYTES = 16 * 1024
/** The last part of the memory, of which a network gets no more than it leaves, so that a small message always fits. */
const RESERVE_BYTES = 512 * 1024
const RESERVE_PART = 1 / 32

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
  #used = 0
  readonly #shares = new FairShares()

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
    const fits = (bytes: number, own: number): boolean => this.#fits(bytes, own, network)
    return {
      heldByNetwork: () => this.#shares.heldBy(network),
      couldHold: (bytes) => bytes <= this.#limit,
      hasRoomFor: fits,
      take: (bytes, own) => {
        if (!fits(bytes, own) || this.#service?.take(bytes) === false) return false
        this.#add(bytes, network)
        return true
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

/** The memory for the messages of one client. `own` are the bytes that the message in question holds already. */
export interface SmtpMemory {
  /** The bytes that all messages of its network hold. 0 for clients without a network. */
  heldByNetwork(): number
  /** Whether `bytes` fit if no other message is being received. */
  couldHold(bytes: number): boolean
  /** Whether `bytes` more bytes are free now. */
  hasRoomFor(bytes: number, own: number): boolean
  /** Takes bytes. Returns false and takes nothing if they are not free. */
  take(bytes: number, own: number): boolean
  give(bytes: number): void
}
