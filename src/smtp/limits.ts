import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { MemoryBudget as WholeBudget } from '#core/memory-budget.ts'
import { isLoopback, type Network, senderNetworks } from '#core/networks.ts'
import type { SmtpOptions } from './options.ts'

/** A client's address in its shortest true form: IPv4 also where it came mapped into IPv6, and without a zone. */
export function clientAddress(remoteAddress: string): string {
  const address = remoteAddress.replace(/%.*$/, '')
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

export type Refusal = 'total' | 'address' | 'network'

type Caps = Pick<SmtpOptions, 'maxConnections' | 'maxConnectionsPerAddress' | 'maxConnectionsPerNetwork'>

/**
 * Counts open connections: all, for each address, and for the networks around it. A /56 may have ten times as many as a /64, a
 * /48 ten times as many as that, and an IPv4 /24 ten times as many as an address of it. The widest of them never holds more than
 * what it leaves free, so that however few networks there are that take all they can, others get in.
 */
export class ConnectionLimits {
  readonly #caps: Caps
  readonly #open = new Map<string, number>()
  #total = 0

  constructor(caps: Caps) {
    this.#caps = caps
  }

  get total(): number {
    return this.#total
  }

  /** Counts a connection against all, or says that it can't. What was counted must be released. */
  enter(): Refusal | undefined {
    if (this.#total >= this.#caps.maxConnections) return 'total'
    this.#total++
    return undefined
  }

  /** Counts a connection that has entered for the address it is from, or says which cap it would break. */
  admit(address: string): Refusal | undefined {
    const { maxConnections, maxConnectionsPerAddress, maxConnectionsPerNetwork } = this.#caps
    const networks = networksAround(address)
    const perNetwork = isIPv4(address) ? maxConnectionsPerAddress : maxConnectionsPerNetwork
    const isFull = ({ name, times }: Network): boolean => this.#count(name) >= perNetwork * times
    const widest = networks.at(-1)
    if (this.#count(address) >= maxConnectionsPerAddress) return 'address'
    if (networks.some(isFull) || (widest && this.#count(widest.name) > maxConnections - this.#total)) return 'network'
    for (const name of [address, ...networks.map((network) => network.name)]) this.#add(name, 1)
    return undefined
  }

  /** A connection is gone; `address` only where it was admitted. */
  release(address?: string): void {
    this.#total--
    if (address === undefined) return
    for (const name of [address, ...networksAround(address).map((network) => network.name)]) this.#add(name, -1)
  }

  #count(name: string): number {
    return this.#open.get(name) ?? 0
  }

  #add(name: string, by: number): void {
    const count = this.#count(name) + by
    if (count === 0) this.#open.delete(name)
    else this.#open.set(name, count)
  }
}

/** The networks that hold more than one address, narrowest first; none of this machine. */
const networksAround = (address: string): Network[] =>
  isLoopback(address) ? [] : senderNetworks(address).filter(({ name }) => name !== address)

/** The bytes of mail that all sessions together may hold, a part of those of the whole service. */
export class MemoryBudget {
  readonly #limit: number
  readonly #whole: WholeBudget | undefined
  #used = 0

  constructor(limit: number, whole?: WholeBudget) {
    this.#limit = limit
    this.#whole = whole
  }

  get used(): number {
    return this.#used
  }

  /** Whether so many bytes more are there at this moment. */
  hasRoomFor(bytes: number): boolean {
    const whole = this.#whole
    return this.#used + bytes <= this.#limit && (!whole || whole.used + bytes <= whole.limit)
  }

  /** Takes so many bytes; false, and nothing taken, where they aren't there. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit || this.#whole?.take(bytes) === false) return false
    this.#used += bytes
    return true
  }

  give(bytes: number): void {
    this.#used -= bytes
    this.#whole?.give(bytes)
  }
}

type PaceOptions = Pick<SmtpOptions, 'dataTimeout' | 'maxDataTime' | 'minBytesPerSecond' | 'slowSenderGrace'>

/** Whether one DATA phase keeps moving. All times are from one monotonic clock, in milliseconds. */
export class DataPace {
  readonly #options: PaceOptions
  readonly #startedAt: number
  #lastAt: number
  #bytes = 0

  constructor(options: PaceOptions, now: number) {
    this.#options = options
    this.#startedAt = now
    this.#lastAt = now
  }

  received(bytes: number, now: number): void {
    this.#bytes += bytes
    this.#lastAt = now
  }

  /** What is wrong at `now`, if anything: nothing comes, it takes too long in all, it trickles. */
  fault(now: number): 'idle' | 'long' | 'slow' | undefined {
    const { dataTimeout, maxDataTime, minBytesPerSecond, slowSenderGrace } = this.#options
    const elapsed = now - this.#startedAt
    if (now - this.#lastAt > dataTimeout) return 'idle'
    if (elapsed > maxDataTime) return 'long'
    if (elapsed > slowSenderGrace && this.#bytes / (elapsed / 1000) < minBytesPerSecond) return 'slow'
    return undefined
  }
}
