const CR = 0x0d
const LF = 0x0a

/** Why a command line isn't one. */
export type LineFault = { fault: 'bare-lf' | 'bare-cr' | 'too-long' }

const BARE_LF: LineFault = { fault: 'bare-lf' }
const BARE_CR: LineFault = { fault: 'bare-cr' }
const TOO_LONG: LineFault = { fault: 'too-long' }

const EMPTY = Buffer.alloc(0)

/** What a client has sent and nobody has read yet: command lines come out one by one, or all the rest at once. */
export class Input {
  readonly #maxLineBytes: number
  #bytes: Buffer = EMPTY
  #at = 0
  /** How far the unfinished line has been searched for its end, so that a trickle isn't searched again and again. */
  #searched = 0
  #skippingLine = false

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes
  }

  get length(): number {
    return this.#bytes.length - this.#at
  }

  push(chunk: Buffer): void {
    if (this.length === 0) {
      this.#bytes = chunk
      this.#searched = 0
    } else {
      this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), chunk])
      this.#searched -= this.#at
    }
    this.#at = 0
  }

  /**
   * The next command line without its CRLF, as Latin-1: a character is a byte. Undefined until one is complete.
   * A bare LF is told at once; an overlong line is told when it ends, and never kept.
   */
  nextLine(): string | LineFault | undefined {
    const start = this.#at
    const end = this.#bytes.indexOf(LF, Math.max(start, this.#searched))
    if (end === -1) {
      this.#searched = this.#bytes.length
      if (this.length >= this.#maxLineBytes) this.#skip()
      return undefined
    }
    this.#at = end + 1
    this.#searched = this.#at
    const tooLong = this.#skippingLine || this.#at - start > this.#maxLineBytes
    this.#skippingLine = false
    if (this.#bytes[end - 1] !== CR) return BARE_LF
    if (tooLong) return TOO_LONG
    const line = this.#bytes.toString('latin1', start, end - 1)
    return line.includes('\r') ? BARE_CR : line
  }

  /** Everything that is there, taken. */
  takeAll(): Buffer {
    const rest = this.#at === 0 ? this.#bytes : this.#bytes.subarray(this.#at)
    this.clear()
    return rest
  }

  clear(): void {
    this.#bytes = EMPTY
    this.#at = 0
    this.#searched = 0
    this.#skippingLine = false
  }

  /** Forgets an overlong line but for its last byte, which may be the CR of its end. */
  #skip(): void {
    this.#bytes = Buffer.from(this.#bytes.subarray(-1))
    this.#at = 0
    this.#searched = 1
    this.#skippingLine = true
  }
}
