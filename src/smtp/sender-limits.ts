import { isLoopback, type Network, senderNetworks } from '#core/networks.ts'
import { HOUR } from '#core/time.ts'
import { TokenBuckets } from '#core/token-buckets.ts'
import type { SmtpOptions } from './options.ts'

/** Senders whose last size is remembered at one time. */
const SIZES_MAX = 10_000

type Rates = Pick<SmtpOptions, 'maxBytesPerHour' | 'maxRefusedRecipientsPerHour'>

/** What senders of mail may do in an hour, counted by network: no session or connection of its own gets around it. */
export class SenderLimits {
  /** A token for each byte that is stored. */
  readonly bytes: TokenBuckets
  /** A token for each recipient that is refused for good. */
  readonly refusals: TokenBuckets
  readonly #clock: () => number
  readonly #sizes = new Map<string, { bytes: number; until: number }>()

  /** `clock`: milliseconds of a clock that never goes back. */
  constructor({ maxBytesPerHour, maxRefusedRecipientsPerHour }: Rates, clock: () => number) {
    this.bytes = new TokenBuckets(maxBytesPerHour, HOUR / maxBytesPerHour, clock)
    this.refusals = new TokenBuckets(maxRefusedRecipientsPerHour, HOUR / maxRefusedRecipientsPerHour, clock)
    this.#clock = clock
  }

  /** Those of a client; `address` as clientAddress() gives it. */
  of(address: string): Sender {
    return new Sender(this, isLoopback(address) ? [] : senderNetworks(address), address)
  }

  /** Remembers the size of a mail that was too large for its recipients: the sender will come again with it. */
  remember(name: string, bytes: number): void {
    const now = this.#clock()
    this.#sizes.delete(name)
    this.#sizes.set(name, { bytes, until: now + HOUR })
    for (const [oldest, { until }] of this.#sizes) {
      if (until > now && this.#sizes.size <= SIZES_MAX) break
      this.#sizes.delete(oldest)
    }
  }

  /** Bytes of such a mail; 0 where there was none in the last hour. */
  remembered(name: string): number {
    const { bytes, until } = this.#sizes.get(name) ?? { bytes: 0, until: 0 }
    return until > this.#clock() ? bytes : 0
  }
}

/** The limits of one client; one on this machine has none by the hour. */
export class Sender {
  readonly #limits: SenderLimits
  readonly #networks: readonly Network[]
  readonly #name: string

  constructor(limits: SenderLimits, networks: readonly Network[], address: string) {
    this.#limits = limits
    this.#networks = networks
    this.#name = networks[0]?.name ?? address
  }

  /** Whether so many bytes may be stored now. */
  hasRoom(bytes: number): boolean {
    return this.#limits.bytes.has(this.#networks, bytes)
  }

  /** Counts bytes that are about to be stored; false where they may not be. */
  store(bytes: number): boolean {
    return this.#limits.bytes.take(this.#networks, bytes).allowed
  }

  /** They were not stored. */
  unstore(bytes: number): void {
    this.#limits.bytes.give(this.#networks, bytes)
  }

  /** Whether another recipient may be refused: whoever has tried too many learns nothing more. */
  mayTry(): boolean {
    return this.#limits.refusals.has(this.#networks)
  }

  /** Counts a recipient that is refused for good; false where there were too many. */
  refused(): boolean {
    return this.#limits.refusals.take(this.#networks).allowed
  }

  /**
   * The size that the next mail is taken for: what MAIL says of it, or that of one which was too large for its recipients, for a
   * sender that says no size, or a wrong one, must get through with it when it comes again.
   */
  expectedSize(declared: number): number {
    return Math.max(declared, this.#limits.remembered(this.#name))
  }

  tooLargeForAll(bytes: number): void {
    this.#limits.remember(this.#name, bytes)
  }
}
