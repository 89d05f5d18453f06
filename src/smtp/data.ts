import { freeBytes } from '#core/memory-budget.ts'
import { inspect, rewrite } from './content.ts'
import type { MemoryBudget } from './limits.ts'
import type { SmtpOptions } from './options.ts'
import { replies } from './replies.ts'

const END = Buffer.from('\r\n.\r\n')
const CR = 0x0d
const LF = 0x0a
const DOT = 0x2e
const SPACE = 0x20
const TAB = 0x09
const CRLF = Buffer.from('\r\n')
const FIRST_CAPACITY = 16 * 1024
const GROW_BYTES = 1024 * 1024

/** Finds CRLF.CRLF in a stream, wherever its packets are cut. DATA begins as if after a CRLF. */
export class EndOfData {
  /** How many bytes of END the stream so far ends with. */
  #matched = 2

  /** The index after the end in this chunk, or -1 where it isn't there yet. */
  find(chunk: Buffer): number {
    let at = 0
    while (this.#matched > 0 && at < chunk.length) {
      this.#step(chunk[at++])
      if (this.#matched === END.length) return at
    }
    const end = chunk.indexOf(END, at)
    if (end !== -1) return end + END.length
    for (at = Math.max(at, chunk.length - END.length + 1); at < chunk.length; at++) this.#step(chunk[at])
    return -1
  }

  #step(byte: number | undefined): void {
    if (byte === END[this.#matched]) this.#matched++
    else this.#matched = byte === CR ? 1 : 0
  }
}

type DataLimits = Pick<SmtpOptions, 'maxMessageBytes' | 'maxLineBytes' | 'maxHeaderBytes' | 'maxHops'>

/** Reads the mail of one DATA command into one buffer, behind the trace header that it begins with. */
export class DataReader {
  readonly #limits: DataLimits
  readonly #budget: MemoryBudget
  readonly #end = new EndOfData()
  #prefixLength: number
  #bytes: Buffer
  #length: number
  /** The copy of a mail whose lines had to be mended. */
  #mended: Buffer | undefined
  #counted = 0
  #stuffedDots = 0
  #stuffingCountedTo: number
  /** The reply where the mail is refused already: the rest is read and forgotten. */
  #refused: string | undefined

  constructor(traceHeader: string, limits: DataLimits, budget: MemoryBudget) {
    this.#limits = limits
    this.#budget = budget
    const prefix = Buffer.from(traceHeader)
    this.#prefixLength = prefix.length
    this.#length = prefix.length
    this.#stuffingCountedTo = prefix.length
    this.#bytes = prefix
    this.#count(FIRST_CAPACITY)
  }

  /** Bytes of the trace header before the mail. */
  get traceLength(): number {
    return this.#prefixLength
  }

  /** The reply where the mail is refused before its end. */
  get refusal(): string | undefined {
    return this.#refused
  }

  /** Whether there is memory for so many bytes more. */
  hasRoomFor(bytes: number): boolean {
    if (this.#refused !== undefined) return true
    const length = this.#length + bytes
    return length <= this.#bytes.length || this.#budget.hasRoomFor(length - this.#counted)
  }

  /** Takes a chunk; answers the index after the end of DATA in it, -1 where all of it belongs to the mail. */
  feed(chunk: Buffer): number {
    const end = this.#end.find(chunk)
    if (this.#refused === undefined) this.#append(end === -1 ? chunk : chunk.subarray(0, end), end !== -1)
    return end
  }

  /** After the end: the mail as it is to be kept (lines end in CRLF, no stuffed dots), or the reply that refuses it. */
  finish(): Buffer | string {
    if (this.#refused !== undefined) return this.#refused
    const { maxMessageBytes, maxLineBytes, maxHeaderBytes, maxHops } = this.#limits
    let mail = this.#bytes.subarray(0, this.#length - 3)
    let found = inspect(mail, this.#prefixLength, true)
    if (found.unclean) {
      mail = this.#rewritten(mail)
      if (this.#refused !== undefined) return this.#refused
    }
    if (mail.length - this.#prefixLength > maxMessageBytes) return replies.tooBig
    if (found.unclean) found = inspect(mail, this.#prefixLength, false)
    if (found.longestLine > maxLineBytes) return replies.dataLineTooLong
    if (found.headerBytes > maxHeaderBytes) return replies.headerTooBig
    if (found.hops > maxHops) return replies.tooManyHops
    return this.#separated(mail)
  }

  /** Gives the memory back; the mail is nobody's after that. */
  release(): void {
    this.#budget.give(this.#counted)
    this.#counted = 0
    freeBytes(this.#bytes)
    if (this.#mended) freeBytes(this.#mended)
    this.#bytes = END
    this.#mended = undefined
  }

  #refuse(reply: string): void {
    this.#refused = reply
    this.release()
  }

  #append(chunk: Buffer, last: boolean): void {
    const length = this.#length + chunk.length
    // Most mails come in one piece: they get what they need and no more.
    const capacity = last ? length : this.#capacityFor(length)
    if (length > this.#bytes.length && !this.#reserve(capacity)) return
    chunk.copy(this.#bytes, this.#length)
    this.#length = length
    // 3 for the dot and CRLF of the end, which are no part of the mail.
    const excess = length - this.#prefixLength - this.#limits.maxMessageBytes - 3
    if (excess > this.#stuffedDots && excess > this.#countStuffedDots()) this.#refuse(replies.tooBig)
  }

  /** Doubling is quick; from a size on the half that may stay empty is too much. It is left out where there is no memory for it. */
  #capacityFor(length: number): number {
    const { length: now } = this.#bytes
    const more = Math.max(length, now + Math.min(now, Math.max(now / 4, GROW_BYTES)), FIRST_CAPACITY)
    const capacity = Math.ceil(more)
    return this.#budget.hasRoomFor(capacity - this.#counted) ? capacity : length
  }

  /** RFC 1870 doesn't count them, so a mail that seems too big may not be. */
  #countStuffedDots(): number {
    const bytes = this.#bytes
    for (; this.#stuffingCountedTo < this.#length; this.#stuffingCountedTo++) {
      const at = this.#stuffingCountedTo
      if (bytes[at] === DOT && bytes[at - 1] === LF && bytes[at - 2] === CR) this.#stuffedDots++
    }
    return this.#stuffedDots
  }

  /** Lends so many bytes in all; refuses the mail where they aren't there. */
  #count(capacity: number): boolean {
    const more = Math.max(0, capacity - this.#counted)
    if (!this.#budget.take(more)) {
      this.#refuse(replies.outOfMemory)
      return false
    }
    this.#counted += more
    return true
  }

  #reserve(capacity: number): boolean {
    if (!this.#count(capacity)) return false
    const bytes = Buffer.allocUnsafeSlow(capacity)
    this.#bytes.copy(bytes, 0, 0, this.#length)
    freeBytes(this.#bytes)
    this.#bytes = bytes
    return true
  }

  /** A first line that begins with a space would continue our trace header (RFC 5322 2.2.3): it is the body, behind an empty line. */
  #separated(mail: Buffer): Buffer | string {
    const at = this.#prefixLength
    if (mail[at] !== SPACE && mail[at] !== TAB) return mail
    const length = mail.length + CRLF.length
    if (!this.#budget.take(length)) {
      this.#refuse(replies.outOfMemory)
      return replies.outOfMemory
    }
    this.#counted += length
    this.#prefixLength += CRLF.length
    return Buffer.concat([mail.subarray(0, at), CRLF, mail.subarray(at)], length)
  }

  #rewritten(mail: Buffer): Buffer {
    const result = rewrite(mail, this.#prefixLength)
    if (this.#budget.take(result.length)) {
      this.#counted += result.length
      this.#mended = result
      return result
    }
    this.#refuse(replies.outOfMemory)
    return result
  }
}
