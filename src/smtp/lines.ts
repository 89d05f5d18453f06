const CR = 0x0d
const LF = 0x0a

/** Why a command line is invalid. */
export type LineFault = { fault: 'bare-lf' | 'bare-cr' | 'too-long' }

const BARE_LF: LineFault = { fault: 'bare-lf' }
const BARE_CR: LineFault = { fault: 'bare-cr' }
const TOO_LONG: LineFault = { fault: 'too-long' }

const EMPTY = Buffer.alloc(0)

/** Buffers what a client has sent. Returns it as single command lines or as one chunk. */
export class Input {
  readonly #maxLineBytes: number
  #bytes: Buffer = EMPTY
  #at = 0
  /**
   * Up to where the unfinished line has been searched for its end, so that a slow sender does not cause repeated
   * searches.
   */
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
   * Returns the next command line without its CRLF as Latin-1, one character per byte, or undefined until a line is
   * complete. A line that ends with a bare LF or is too long is returned as a fault. An overlong line is discarded
   * while it arrives.
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

  /** Removes and returns everything in the buffer. */
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

  /** Discards an overlong line except for its last byte, which may be the CR of its end. */
  #skip(): void {
    this.#bytes = Buffer.from(this.#bytes.subarray(-1))
    this.#at = 0
    this.#searched = 1
    this.#skippingLine = true
  }
}
