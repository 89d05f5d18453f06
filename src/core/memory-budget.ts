import { MayflyError } from './errors.ts'

/** More than `Buffer.poolSize`, because the buffers of a pool share their memory. */
const FREE_FROM_BYTES = 96 * 1024

/**
 * Frees the memory of a large buffer at once; nothing may use the bytes afterwards. Each thread would otherwise keep
 * tens of megabytes until its garbage collector runs. Leaves buffers below 96 KiB to the garbage collector.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= FREE_FROM_BYTES) buffer.transfer(0)
}

/** Returns the lent bytes to the budget. A second call does nothing. */
export type GiveBack = () => void

/** Who a loan is for. `slow` work waits for others, such as name servers, so it may hold its loan for long. */
const KINDS = ['urgent', 'normal', 'slow'] as const
type Kind = (typeof KINDS)[number]

interface Work {
  /** A user waits for it. */
  urgent?: boolean
  slow?: boolean
}

interface LendOptions extends Work {
  /** Cancels the request: `lend` rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** How long the request may wait, in milliseconds. `lend` then rejects with `disk_full`. */
  patience?: number
}

interface Waiting {
  bytes: number
  resolve: (giveBack: GiveBack) => void
}

/** The waiting requests of a kind, and the bytes that its reserve has lent. */
class Line {
  readonly small: Waiting[] = []
  readonly large: Waiting[] = []
  reserved = 0

  listOf(isSmall: boolean): Waiting[] {
    return isSmall ? this.small : this.large
  }
}

/** The part of the common memory that slow work may use, or one loan. Otherwise it could hold all of it for long. */
const SLOW_PART = 1 / 3
/** The share of the budget that is reserved for the small requests of each kind of work. */
const RESERVE_PART = 1 / 48
/** The part that messages in transfer always get, in reserves: an eighth of the budget. */
const TRANSFER_RESERVES = 6

const kindOf = ({ urgent, slow }: Work): Kind => (slow ? 'slow' : urgent ? 'urgent' : 'normal')

/**
 * Limits the bytes of all copies of messages in memory, whether they are received, sealed, read or forwarded. Messages
 * in transfer take bytes; complete ones are lent them. Neither can use up the memory of the other: the receiver must
 * leave part of the budget free, and loans leave an eighth. Large loans come from the common part in turns of
 * their kinds. Small ones do not wait for them, because each kind has a reserve for these.
 */
export class MemoryBudget {
  readonly limit: number
  /** Bytes that are taken. */
  #taken = 0
  /** Bytes that the common part has lent. If there are none, the next request is served whatever its size. */
  #lent = 0
  /** Those that are lent to slow work. */
  #lentSlow = 0
  readonly #common: number
  readonly #reserve: number
  readonly #transfer: number
  readonly #lines: Record<Kind, Line> = { urgent: new Line(), normal: new Line(), slow: new Line() }
  /** The kinds, beginning with the one whose turn it is. */
  #order: readonly Kind[] = KINDS

  constructor(limit: number) {
    this.limit = limit
    this.#reserve = Math.floor(limit * RESERVE_PART)
    this.#transfer = TRANSFER_RESERVES * this.#reserve
    this.#common = limit - KINDS.length * this.#reserve
  }

  get used(): number {
    return KINDS.reduce((sum, kind) => sum + this.#lines[kind].reserved, this.#taken + this.#lent)
  }

  /** The bytes that can be taken now. */
  get free(): number {
    return Math.max(this.#common - this.#lent, this.#transfer) - this.#taken
  }

  /** Takes bytes. Returns false, and takes nothing, if they are not free. */
  take(bytes: number): boolean {
    if (bytes > this.free) return false
    this.#taken += bytes
    return true
  }

  give(bytes: number): void {
    this.#taken -= bytes
    this.#next()
  }

  /** Lends bytes if they are free now and no other request waits for them. */
  tryLend(bytes: number, work: Work = {}): GiveBack | undefined {
    const kind = kindOf(work)
    const line = this.#lines[kind]
    const isSmall = this.#isSmall(bytes)
    if (!this.#first(false) && !(isSmall && this.#first(true))) {
      const giveBack = this.#lend(bytes, kind)
      if (giveBack) return giveBack
    }
    return isSmall && line.small.length === 0 ? this.#lendReserved(line, bytes) : undefined
  }

  /**
   * Lends bytes as soon as they are free. Requests of the same kind and size are served in the order of the calls. The
   * kinds take turns, `urgent` requests first. A request beyond the limit is served when nothing else is lent but the
   * reserves.
   */
  async lend(bytes: number, { signal, patience, ...work }: LendOptions = {}): Promise<GiveBack> {
    const now = this.tryLend(bytes, work)
    if (now) return now
    signal?.throwIfAborted()
    const list = this.#lines[kindOf(work)].listOf(this.#isSmall(bytes))
    const { promise, resolve, reject } = Promise.withResolvers<GiveBack>()
    const waiting: Waiting = { bytes, resolve }
    list.push(waiting)
    const leave = (reason: unknown): void => {
      const at = list.indexOf(waiting)
      if (at === -1) return
      list.splice(at, 1)
      reject(reason)
      this.#next()
    }
    const abort = (): void => leave(signal?.reason)
    const timer = patience === undefined ? undefined : setTimeout(() => leave(new MayflyError('disk_full')), patience)
    signal?.addEventListener('abort', abort)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    })
  }

  /** Whether a request may use a reserve, of which it leaves half to others. */
  #isSmall(bytes: number): boolean {
    return bytes <= this.#reserve / 2
  }

  /** Whether the part of a kind has room for so many bytes. Only slow work has such a part. */
  #fitsPart(bytes: number, kind: Kind): boolean {
    return kind !== 'slow' || this.#lentSlow === 0 || this.#lentSlow + bytes <= this.#common * SLOW_PART
  }

  /**
   * Returns the waiting requests whose turn it is, of those that are small or those that are not. Slow work that waits
   * for its own kind has no turn.
   */
  #first(isSmall: boolean): { list: Waiting[]; kind: Kind } | undefined {
    for (const kind of this.#order) {
      const list = this.#lines[kind].listOf(isSmall)
      if (list[0] && this.#fitsPart(list[0].bytes, kind)) return { list, kind }
    }
    return undefined
  }

  #lend(bytes: number, kind: Kind): GiveBack | undefined {
    if (!this.#fitsPart(bytes, kind)) return undefined
    const others = this.#lent + Math.max(this.#taken, this.#transfer)
    if (this.#lent > 0 && others + bytes > this.#common) return undefined
    const slow = kind === 'slow' ? bytes : 0
    this.#lent += bytes
    this.#lentSlow += slow
    return this.#giveBack(() => {
      this.#lent -= bytes
      this.#lentSlow -= slow
    })
  }

  #lendReserved(line: Line, bytes: number): GiveBack | undefined {
    if (line.reserved + bytes > this.#reserve) return undefined
    line.reserved += bytes
    return this.#giveBack(() => (line.reserved -= bytes))
  }

  #giveBack(subtract: () => void): GiveBack {
    let lent = true
    return () => {
      if (!lent) return
      lent = false
      subtract()
      this.#next()
    }
  }

  /** Serves the requests that have room: large ones first, because small ones have reserves, too. */
  #next(): void {
    for (let first = this.#first(false) ?? this.#first(true); first; first = this.#first(false) ?? this.#first(true)) {
      const { list, kind } = first
      if (!serve(list, (bytes) => this.#lend(bytes, kind))) break
      const next = KINDS.indexOf(kind) + 1
      this.#order = [...KINDS.slice(next), ...KINDS.slice(0, next)]
    }
    for (const kind of KINDS) {
      const line = this.#lines[kind]
      while (serve(line.small, (bytes) => this.#lendReserved(line, bytes)));
    }
    // Nobody waits: the next turn is that of urgent requests again.
    if (!this.#first(false) && !this.#first(true)) this.#order = KINDS
  }
}

/** Serves the first of the requests. Returns whether there was one and it has got its bytes. */
function serve(list: Waiting[], lend: (bytes: number) => GiveBack | undefined): boolean {
  const [first] = list
  const giveBack = first && lend(first.bytes)
  if (!giveBack) return false
  list.shift()
  first.resolve(giveBack)
  return true
}
