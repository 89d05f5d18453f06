import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { FairShares } from '#core/fair-shares.ts'
import { isLoopback, type Network, senderNetworks } from '#core/networks.ts'
import type { SmtpOptions } from './options.ts'

/** Normalizes the IP address of a client: removes the zone and converts IPv4-mapped IPv6 to IPv4. */
export function clientAddress(remoteAddress: string): string {
  const address = remoteAddress.replace(/%.*$/, '')
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

/** A client of the receiver. */
export interface Client {
  address: string
  /**
   * The network whose shares it takes, as named by `sharingNetwork()`. Undefined if it stands for many clients: this
   * machine, or a proxy that does not name its client. Then it has no shares and no rate of connections.
   */
  network: string | undefined
}

export type Refusal = 'total' | 'address' | 'network' | 'share' | 'rate'

type Caps = Pick<SmtpOptions, 'maxConnections' | 'maxConnectionsPerAddress' | 'maxConnectionsPerNetwork'>

/**
 * Counts open connections in total, per IP address and per network around it. A /56 may have ten times as many as a
 * /64, a /48 ten times as many as a /56, and an IPv4 /24 ten times as many as one address. The widest networks around
 * addresses have fair shares, so a few of them cannot take all connections.
 */
export class ConnectionLimits {
  readonly #caps: Caps
  readonly #open = new Map<string, number>()
  readonly #shares = new FairShares()
  #total = 0

  constructor(caps: Caps) {
    this.#caps = caps
  }

  get total(): number {
    return this.#total
  }

  /** Counts a connection in the total, or returns why it is refused. A counted connection must be released. */
  enter(): Refusal | undefined {
    if (this.#total >= this.#caps.maxConnections) return 'total'
    this.#total++
    return undefined
  }

  /** Admitted connections of a network that shares; 0 for undefined. */
  heldBy(network: string | undefined): number {
    return this.#shares.heldBy(network)
  }

  /** Counts an entered connection for its IP address and networks, or returns the cap that refuses it. */
  admit(client: Client): Refusal | undefined {
    const { address, network } = client
    const { maxConnections, maxConnectionsPerAddress, maxConnectionsPerNetwork } = this.#caps
    const networks = networksAround(address)
    const perNetwork = isIPv4(address) ? maxConnectionsPerAddress : maxConnectionsPerNetwork
    const isFull = ({ name, times }: Network): boolean => this.#count(name) >= perNetwork * times
    if (this.#count(address) >= maxConnectionsPerAddress) return 'address'
    if (networks.some(isFull)) return 'network'
    const free = maxConnections - this.#total + 1
    if (network !== undefined && !this.#shares.allows(network, 1, free)) return 'share'
    this.#addAround(client, 1)
    return undefined
  }

  /** Releases a closed connection. `client` is given only if it was admitted. */
  release(client?: Client): void {
    this.#total--
    if (client) this.#addAround(client, -1)
  }

  #addAround({ address, network }: Client, by: number): void {
    for (const name of [address, ...networksAround(address).map((around) => around.name)]) this.#add(name, by)
    this.#shares.add(network, by)
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

/**
 * Returns the networks around an IP address, narrowest first, without the address itself. Empty for loopback addresses.
 */
const networksAround = (address: string): Network[] =>
  isLoopback(address) ? [] : senderNetworks(address).filter(({ name }) => name !== address)

type PaceOptions = Pick<
  SmtpOptions,
  'dataTimeout' | 'maxDataTime' | 'minBytesPerSecond' | 'slowSenderGrace' | 'stallTime' | 'minBytesPerSecondIfShort'
>

/** Measures the progress of one DATA phase. All times are milliseconds of one monotonic clock. */
export class DataPace {
  readonly #options: PaceOptions
  #startedAt: number
  #lastAt: number
  #bytes = 0
  /** Until when the bytes so far are fast enough. */
  #earnedUntil: number

  constructor(options: PaceOptions, now: number) {
    this.#options = options
    this.#startedAt = now
    this.#lastAt = now
    this.#earnedUntil = now
  }

  /** Bytes sent in advance earn no more time than a pause may take. */
  received(bytes: number, now: number): void {
    const { dataTimeout, minBytesPerSecond } = this.#options
    this.#earnedUntil = Math.min(this.#earnedUntil + (bytes / minBytesPerSecond) * 1000, now + dataTimeout)
    this.#lastAt = now
    this.#bytes += bytes
  }

  /** Leaves out a time in which the client had to wait. */
  paused(time: number): void {
    this.#startedAt += time
    this.#lastAt += time
    this.#earnedUntil += time
  }

  /** Whether the message is too slow to keep its place while others need it. */
  stalls(now: number): boolean {
    const { stallTime, minBytesPerSecondIfShort } = this.#options
    const fastEnough = (this.#bytes / minBytesPerSecondIfShort) * 1000
    return now - this.#lastAt > stallTime || now - this.#startedAt > stallTime + fastEnough
  }

  /** Returns the fault at `now`, if any: no data for too long, too long in total, or too slow. */
  fault(now: number): 'idle' | 'long' | 'slow' | undefined {
    const { dataTimeout, maxDataTime, slowSenderGrace } = this.#options
    const elapsed = now - this.#startedAt
    if (now - this.#lastAt > dataTimeout) return 'idle'
    if (elapsed > maxDataTime) return 'long'
    if (elapsed > slowSenderGrace && now > this.#earnedUntil) return 'slow'
    return undefined
  }
}
