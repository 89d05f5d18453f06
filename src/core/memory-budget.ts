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

/**
 * Who a loan is for: `urgent` work, for which a user waits, `normal` work, such as deliveries, or work that waits for the
 * servers of others and may hold its loan for long: a `check` of a sender, or a `forward`.
 */
type Kind = 'urgent' | 'normal' | 'check' | 'forward'

interface LendOptions {
  kind?: Kind
  /** Cancels the request: `lend` rejects with the reason of the signal, whether or not it would have to wait. */
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
  readonly part: Part
  readonly small: Waiting[] = []
  readonly large: Waiting[] = []
  reserved = 0

  constructor(part: Part) {
    this.part = part
  }

  listOf(isSmall: boolean): Waiting[] {
    return isSmall ? this.small : this.large
  }
}

/** A part of the memory from which the loans of one or several kinds come. */
class Part {
  readonly size: number
  /** The lent bytes. If there are none, the next request is served whatever its size. */
  lent = 0
  readonly lines: Line[] = []
  /** The index of the line whose turn it is. */
  turn = 0

  constructor(size: number) {
    this.size = size
  }

  addLine(): Line {
    const line = new Line(this)
    this.lines.push(line)
    return line
  }

  /** Returns the next line with a waiting request of that size. */
  next(isSmall: boolean): Line | undefined {
    const { lines, turn } = this
    for (let i = 0; i < lines.length; i++) {
      const line = lines[(turn + i) % lines.length] as Line
      if (line.listOf(isSmall).length > 0) return line
    }
    return undefined
  }
}

/** The reserve of each kind for its small requests, as a part of the budget. The sizes of the parts are multiples. */
const RESERVE = 1 / 48
const RESERVES = { transfer: 6, check: 3, forward: 4 }
const KINDS = 4

/**
 * Limits the bytes of all copies of messages in memory, whether they are received, sealed, read or forwarded. Messages
 * in transfer take bytes; complete ones are lent them. Neither can use up the memory of the other: the receiver must
 * leave part of the budget free, and loans leave an eighth.
 *
 * Sender checks and forwards have parts of their own, so nobody else waits for the servers for which they wait. Users
 * and deliveries share the rest, and take turns. Small requests do not wait for large ones, because each kind has a
 * reserve for these.
 */
export class MemoryBudget {
  readonly limit: number
  /** Bytes that are taken, from the common part. */
  #taken = 0
  readonly #reserve: number
  readonly #transfer: number
  readonly #common: Part
  readonly #lines: Record<Kind, Line>

  constructor(limit: number) {
    this.limit = limit
    const reserve = Math.floor(limit * RESERVE)
    const check = new Part(RESERVES.check * reserve)
    const forward = new Part(RESERVES.forward * reserve)
    this.#reserve = reserve
    this.#transfer = RESERVES.transfer * reserve
    this.#common = new Part(limit - KINDS * reserve - check.size - forward.size)
    this.#lines = {
      urgent: this.#common.addLine(),
      normal: this.#common.addLine(),
      check: check.addLine(),
      forward: forward.addLine(),
    }
  }

  get used(): number {
    const { urgent, normal, check, forward } = this.#lines
    const reserved = urgent.reserved + normal.reserved + check.reserved + forward.reserved
    return this.#taken + this.#common.lent + check.part.lent + forward.part.lent + reserved
  }

  /** The bytes that can be taken now. */
  get free(): number {
    return Math.max(this.#common.size - this.#common.lent, this.#transfer) - this.#taken
  }

  /** Takes bytes. Returns false, and takes nothing, if they are not free. */
  take(bytes: number): boolean {
    if (bytes > this.free) return false
    this.#taken += bytes
    return true
  }

  give(bytes: number): void {
    this.#taken -= bytes
    this.#serve(this.#common)
  }

  /** Lends bytes if they are free now and no other request waits for them. */
  tryLend(bytes: number, { kind = 'normal' }: { kind?: Kind } = {}): GiveBack | undefined {
    const line = this.#lines[kind]
    const isSmall = this.#isSmall(bytes)
    const isWaitedFor = line.part.next(false) ?? (isSmall ? line.part.next(true) : undefined)
    const giveBack = isWaitedFor ? undefined : this.#lend(bytes, line.part)
    return giveBack ?? (isSmall && line.small.length === 0 ? this.#lendReserved(bytes, line) : undefined)
  }

  /**
   * Lends bytes as soon as they are free. Requests of the same kind and size are served in the order of the calls. The
   * kinds that share a part take turns, `urgent` requests first. A request that is larger than its part is served when
   * the part has lent nothing else.
   */
  async lend(bytes: number, { signal, patience, kind = 'normal' }: LendOptions = {}): Promise<GiveBack> {
    signal?.throwIfAborted()
    const now = this.tryLend(bytes, { kind })
    if (now) return now
    const line = this.#lines[kind]
    const list = line.listOf(this.#isSmall(bytes))
    const { promise, resolve, reject } = Promise.withResolvers<GiveBack>()
    const waiting: Waiting = { bytes, resolve }
    list.push(waiting)
    const leave = (reason: unknown): void => {
      const at = list.indexOf(waiting)
      if (at === -1) return
      list.splice(at, 1)
      reject(reason)
      this.#serve(line.part)
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

  #lend(bytes: number, part: Part): GiveBack | undefined {
    const taken = part === this.#common ? Math.max(this.#taken, this.#transfer) : 0
    if (part.lent > 0 && part.lent + taken + bytes > part.size) return undefined
    part.lent += bytes
    return this.#giveBack(part, () => (part.lent -= bytes))
  }

  #lendReserved(bytes: number, line: Line): GiveBack | undefined {
    if (line.reserved + bytes > this.#reserve) return undefined
    line.reserved += bytes
    return this.#giveBack(line.part, () => (line.reserved -= bytes))
  }

  #giveBack(part: Part, subtract: () => void): GiveBack {
    let lent = true
    return () => {
      if (!lent) return
      lent = false
      subtract()
      this.#serve(part)
    }
  }

  /** Serves the requests that have room: large ones first, because small ones have reserves, too. */
  #serve(part: Part): void {
    for (let line = part.next(false) ?? part.next(true); line; line = part.next(false) ?? part.next(true)) {
      const list = line.large.length > 0 ? line.large : line.small
      if (!serve(list, (bytes) => this.#lend(bytes, part))) break
      part.turn = part.lines.indexOf(line) + 1
    }
    for (const line of part.lines) {
      while (line.small.length > 0 && serve(line.small, (bytes) => this.#lendReserved(bytes, line)));
    }
    // Nobody waits: the next turn is that of urgent requests again.
    if (!part.next(false) && !part.next(true)) part.turn = 0
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
