import ipaddr from 'ipaddr.js'
import type { SmtpOptions } from './options.ts'

/** A client's address in its shortest true form: IPv4 also where it came mapped into IPv6, and without a zone. */
export function clientAddress(remoteAddress: string): string {
  const address = remoteAddress.replace(/%.*$/, '')
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

/** The IPv6 /64 of an address, as 16 hexadecimal digits; undefined for IPv4. */
function networkOf(address: string): string | undefined {
  if (!ipaddr.IPv6.isValid(address)) return undefined
  return Buffer.from(ipaddr.IPv6.parse(address).toByteArray().slice(0, 8)).toString('hex')
}

export type Refusal = 'total' | 'address' | 'network'

type Caps = Pick<SmtpOptions, 'maxConnections' | 'maxConnectionsPerAddress' | 'maxConnectionsPerNetwork'>

/** Counts open connections: all, for each address, for each IPv6 /64. */
export class ConnectionLimits {
  readonly #caps: Caps
  readonly #addresses = new Map<string, number>()
  readonly #networks = new Map<string, number>()
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
    const network = networkOf(address)
    if ((this.#addresses.get(address) ?? 0) >= this.#caps.maxConnectionsPerAddress) return 'address'
    if (network && (this.#networks.get(network) ?? 0) >= this.#caps.maxConnectionsPerNetwork) return 'network'
    add(this.#addresses, address, 1)
    if (network) add(this.#networks, network, 1)
    return undefined
  }

  /** A connection is gone; `address` only where it was admitted. */
  release(address?: string): void {
    this.#total--
    if (address === undefined) return
    const network = networkOf(address)
    add(this.#addresses, address, -1)
    if (network) add(this.#networks, network, -1)
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

/** The bytes of mail that all sessions together may hold. */
export class MemoryBudget {
  readonly #limit: number
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** Takes so many bytes; false, and nothing taken, where they aren't there. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false
    this.#used += bytes
    return true
  }

  give(bytes: number): void {
    this.#used -= bytes
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
