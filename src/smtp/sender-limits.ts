import { isLoopback, type Network, senderNetworks } from '#core/networks.ts'
import { HOUR } from '#core/time.ts'
import { TokenBuckets } from '#core/token-buckets.ts'
import type { SmtpOptions } from './options.ts'

/** The most senders whose last message size is remembered. */
const SIZES_MAX = 10_000

/**
 * How many connections a client may start in this time: a multiple of those that it may have open, but at least this
 * many. More than the maximum is no limit.
 */
const STARTS_TIME = 10_000
const STARTS_PER_OPEN = 4
const STARTS_MIN = 200
const STARTS_MAX = 1_000_000
/** Wider networks may start at most so many times as many, because all of them load the same thread. */
const STARTS_TIMES_MAX = 4

type Rates = Pick<SmtpOptions, 'maxBytesPerHour' | 'maxRefusedRecipientsPerHour' | 'maxConnectionsPerAddress'>

/** Rates of senders, counted per network across all sessions and connections. */
export class SenderLimits {
  /** One token per byte of each copy of a message, unless a fault of ours prevented storing it. */
  readonly bytes: TokenBuckets
  /** One token per recipient that was refused for good, not by a fault on purpose. */
  readonly refusals: TokenBuckets
  /** One token per connection, for its TLS handshake, too. They protect the main thread of this node alone. */
  readonly connections: TokenBuckets
  readonly #clock: () => number
  readonly #sizes = new Map<string, { bytes: number; until: number }>()

  /** `clock` is monotonic, in milliseconds. */
  constructor({ maxBytesPerHour, maxRefusedRecipientsPerHour, maxConnectionsPerAddress }: Rates, clock: () => number) {
    this.bytes = new TokenBuckets(maxBytesPerHour, HOUR / maxBytesPerHour, clock)
    this.refusals = new TokenBuckets(maxRefusedRecipientsPerHour, HOUR / maxRefusedRecipientsPerHour, clock)
    const starts = Math.min(STARTS_MAX, Math.max(STARTS_MIN, STARTS_PER_OPEN * maxConnectionsPerAddress))
    this.connections = new TokenBuckets(starts, STARTS_TIME / starts, clock)
    this.#clock = clock
  }

  /** Returns the limits of a client, given by its address as normalized by `clientAddress()`. */
  of(address: string): Sender {
    return new Sender(this, isLoopback(address) ? [] : senderNetworks(address), address)
  }

  /**
   * Remembers for an hour the size of a message with too many recipients for its size, because the sender will retry
   * it.
   */
  remember(name: string, bytes: number): void {
    const now = this.#clock()
    this.#sizes.delete(name)
    this.#sizes.set(name, { bytes, until: now + HOUR })
    for (const [oldest, { until }] of this.#sizes) {
      if (until > now && this.#sizes.size <= SIZES_MAX) break
      this.#sizes.delete(oldest)
    }
  }

  /** Returns the remembered size in bytes, or 0 if there is none from the last hour. */
  remembered(name: string): number {
    const { bytes, until } = this.#sizes.get(name) ?? { bytes: 0, until: 0 }
    return until > this.#clock() ? bytes : 0
  }
}

/** The limits of one client. A client on this machine has none. */
export class Sender {
  readonly #limits: SenderLimits
  readonly #networks: readonly Network[]
  /** The same with less for wider networks. */
  readonly #startingNetworks: readonly Network[]
  readonly #name: string

  constructor(limits: SenderLimits, networks: readonly Network[], address: string) {
    this.#limits = limits
    this.#networks = networks
    this.#startingNetworks = networks.map(({ name, times }) => ({ name, times: Math.min(times, STARTS_TIMES_MAX) }))
    this.#name = networks[0]?.name ?? address
  }

  /** Whether the client may start a connection now. */
  mayConnect(): boolean {
    return this.#limits.connections.has(this.#startingNetworks)
  }

  /** Counts a connection. */
  connected(): void {
    this.#limits.connections.owe(this.#startingNetworks)
  }

  /** Whether `bytes` bytes may be stored now. */
  hasRoom(bytes: number): boolean {
    return this.#limits.bytes.has(this.#networks, bytes)
  }

  /** Counts bytes that are about to be stored. Returns false if the limit is reached. */
  store(bytes: number): boolean {
    return this.#limits.bytes.take(this.#networks, bytes).allowed
  }

  /** Takes back the count of bytes that were not stored through a fault of ours. */
  unstore(bytes: number): void {
    this.#limits.bytes.give(this.#networks, bytes)
  }

  /** Whether the client may name further recipients. After too many unknown ones it learns nothing more. */
  mayGuess(): boolean {
    return this.#limits.refusals.has(this.#networks)
  }

  /** Counts a recipient that was refused for good. Returns false if there were too many. */
  refused(): boolean {
    return this.#limits.refusals.take(this.#networks).allowed
  }

  /**
   * Returns the size to assume for the next message: the declared size, or the size of an earlier message that had too
   * many recipients for its size if that is larger. A sender that declares no size or a wrong one thus succeeds when it
   * retries.
   */
  expectedSize(declared: number): number {
    return Math.max(declared, this.#limits.remembered(this.#name))
  }

  tooLargeForAll(bytes: number): void {
    this.#limits.remember(this.#name, bytes)
  }
}
