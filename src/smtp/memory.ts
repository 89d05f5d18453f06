import type { MemoryBudget } from '#core/memory-budget.ts'
import { isLoopback, widestNetwork } from '#core/networks.ts'

/** The first bytes of a message. Most messages need no more. */
export const FIRST_BYTES = 16 * 1024
/** The last part of the memory, which no message gets beyond the share of its network. */
const RESERVE_BYTES = 512 * 1024
const RESERVE_PART = 1 / 32

/**
 * The memory for messages of all SMTP sessions together, taken from the budget of the whole service if there is one.
 * The widest network around a client may not hold more bytes than it leaves free, so a few networks cannot take all of
 * them. There are two exceptions as long as more than a reserve is free: its only message, because the largest message
 * must fit, and the first bytes of each message, so that its small messages do not wait for its large ones.
 */
export class SmtpMemoryBudget {
  readonly #limit: number
  readonly #service: MemoryBudget | undefined
  readonly #reserve: number
  #used = 0
  /** The bytes that each network holds. */
  readonly #held = new Map<string, number>()

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
    const network = address === undefined || isLoopback(address) ? undefined : widestNetwork(address)
    const fits = (bytes: number, own: number): boolean => this.#fits(bytes, own, network)
    return {
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
    const free = Math.min(this.#limit - this.#used, this.#service?.free ?? Infinity) - bytes
    if (free < 0 || network === undefined) return free >= 0
    const held = this.#held.get(network) ?? 0
    if (held + bytes <= free) return true
    return free >= this.#reserve && (held === own || own + bytes <= FIRST_BYTES)
  }

  #add(bytes: number, network: string | undefined): void {
    this.#used += bytes
    if (network === undefined) return
    const held = (this.#held.get(network) ?? 0) + bytes
    if (held === 0) this.#held.delete(network)
    else this.#held.set(network, held)
  }
}

/** The memory for the messages of one client. `own` are the bytes that the message in question holds already. */
export interface SmtpMemory {
  /** Whether `bytes` fit if no other message is being received. */
  couldHold(bytes: number): boolean
  /** Whether `bytes` more bytes are free now. */
  hasRoomFor(bytes: number, own: number): boolean
  /** Takes bytes. Returns false and takes nothing if they are not free. */
  take(bytes: number, own: number): boolean
  give(bytes: number): void
}
