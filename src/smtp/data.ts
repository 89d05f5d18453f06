import { freeBytes } from '#core/memory-budget.ts'
import { inspect, rewrite, separate } from './content.ts'
import { FIRST_BYTES, type Patience, type SmtpMemory } from './memory.ts'
import type { SmtpOptions } from './options.ts'
import { replies } from './replies.ts'

const END = Buffer.from('\r\n.\r\n')
const CR = 0x0d
const LF = 0x0a
const DOT = 0x2e
const GROW_BYTES = 1024 * 1024

/** Finds CRLF.CRLF in a stream of chunks. The start of DATA counts as the start of a line. */
export class EndOfData {
  /** The number of bytes of END with which the stream so far ends. */
  #matched = 2

  /** Returns the index after the end of data in this chunk, or -1 if the chunk does not complete it. */
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

/** Reads the message of one DATA command into one buffer that begins with the trace header. */
export class DataReader {
  readonly #limits: DataLimits
  readonly #memory: SmtpMemory
  readonly #end = new EndOfData()
  #prefixLength: number
  #bytes: Buffer
  #length: number
  /** The copy of a message whose lines could not be corrected in place. */
  #rewrittenCopy: Buffer | undefined
  /** Bytes taken from the memory of the client. */
  #counted = 0
  #stuffedDots = 0
  #stuffingCountedTo: number
  /** The reply if the message is already refused. The rest of it is read and discarded. */
  #refusal: string | undefined

  constructor(traceHeader: string, limits: DataLimits, memory: SmtpMemory) {
    this.#limits = limits
    this.#memory = memory
    const prefix = Buffer.from(traceHeader)
    this.#prefixLength = prefix.length
    this.#length = prefix.length
    this.#stuffingCountedTo = prefix.length
    this.#bytes = prefix
    this.#count(FIRST_BYTES)
  }

  /** Bytes that the receiver added: the trace header before the message, and a missing empty line. */
  get addedBytes(): number {
    return this.#prefixLength
  }

  /** Bytes of memory that the message holds. */
  get heldBytes(): number {
    return this.#counted
  }

  /** The reply if the message is refused before its end. */
  get refusal(): string | undefined {
    return this.#refusal
  }

  /** Whether there is memory for `bytes` more bytes. */
  hasRoomFor(bytes: number): boolean {
    if (this.#refusal !== undefined) return true
    const length = this.#length + bytes
    return length <= this.#bytes.length || this.#memory.hasRoomFor(length - this.#counted, this.#counted)
  }

  /** Waits for memory for `bytes` more bytes. Resolves with whether there is some. */
  waitForRoom(bytes: number, patience: Patience): Promise<boolean> {
    return this.#memory.waitFor(this.#length + bytes - this.#counted, this.#counted, patience)
  }

  /**
   * Appends a chunk. Returns the index after the end of data in it, or -1 if the whole chunk belongs to the message.
   */
  feed(chunk: Buffer): number {
    const end = this.#end.find(chunk)
    if (this.#refusal === undefined) this.#append(end === -1 ? chunk : chunk.subarray(0, end), end !== -1)
    return end
  }

  /**
   * Returns the message to store, or the reply that refuses it. Lines end with CRLF, dot stuffing is undone, and an empty
   * line ends the header section.
   */
  finish(): Buffer | string {
    if (this.#refusal !== undefined) return this.#refusal
    const { maxMessageBytes, maxLineBytes, maxHeaderBytes, maxHops } = this.#limits
    let message = this.#bytes.subarray(0, this.#length - 3)
    let found = inspect(message, this.#prefixLength, true)
    if (found.unclean) {
      message = this.#rewritten(message)
      if (this.#refusal !== undefined) return this.#refusal
    }
    if (message.length - this.#prefixLength > maxMessageBytes) return replies.tooBig
    if (found.unclean) found = inspect(message, this.#prefixLength, false)
    if (found.longestLine > maxLineBytes) return replies.dataLineTooLong
    if (found.headerBytes > maxHeaderBytes) return replies.headerTooBig
    if (found.hops > maxHops) return replies.tooManyHops
    if (!found.unseparated) return message
    // Other servers do the same: text without a header section, or without the empty line after it, would be lost, and white
    // space would continue the trace header.
    const separated = separate(message, this.#prefixLength + found.headerBytes)
    this.#prefixLength += separated.length - message.length
    return separated
  }

  /** Releases the memory. The message must not be used afterwards. */
  release(): void {
    this.#memory.give(this.#counted)
    this.#counted = 0
    freeBytes(this.#bytes)
    if (this.#rewrittenCopy) freeBytes(this.#rewrittenCopy)
    this.#bytes = END
    this.#rewrittenCopy = undefined
  }

  #refuse(reply: string): void {
    this.#refusal = reply
    this.release()
  }

  #append(chunk: Buffer, last: boolean): void {
    const length = this.#length + chunk.length
    // Most messages arrive in one chunk, which needs no spare capacity.
    const capacity = last ? length : this.#capacityFor(length)
    if (length > this.#bytes.length && !this.#reserve(capacity)) return
    chunk.copy(this.#bytes, this.#length)
    this.#length = length
    // 3 bytes for the final dot and CRLF, which are not part of the message.
    const excess = length - this.#prefixLength - this.#limits.maxMessageBytes - 3
    if (excess > this.#stuffedDots && excess > this.#countStuffedDots()) this.#refuse(replies.tooBig)
  }

  /**
   * Doubles the capacity while it is small and grows it by a quarter later. Adds no spare capacity if memory is short.
   */
  #capacityFor(length: number): number {
    const { length: current } = this.#bytes
    const grown = Math.max(length, current + Math.min(current, Math.max(current / 4, GROW_BYTES)), FIRST_BYTES)
    const capacity = Math.ceil(grown)
    return this.#memory.hasRoomFor(capacity - this.#counted, this.#counted) ? capacity : length
  }

  /** Counts the stuffed dots so far, which RFC 1870 excludes from the size of a message. */
  #countStuffedDots(): number {
    const bytes = this.#bytes
    for (; this.#stuffingCountedTo < this.#length; this.#stuffingCountedTo++) {
      const at = this.#stuffingCountedTo
      if (bytes[at] === DOT && bytes[at - 1] === LF && bytes[at - 2] === CR) this.#stuffedDots++
    }
    return this.#stuffedDots
  }

  /**
   * Takes memory up to `capacity` in total. Refuses the message and returns false if there is not
   * enough.
   */
  #count(capacity: number): boolean {
    const missing = capacity - this.#counted
    if (missing <= 0) return true
    if (!this.#memory.take(missing, this.#counted)) {
      this.#refuse(replies.outOfMemory)
      return false
    }
    this.#counted += missing
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

  #rewritten(message: Buffer): Buffer {
    const result = rewrite(message, this.#prefixLength)
    if (result.buffer === message.buffer) return result
    if (this.#memory.take(result.length, this.#counted)) {
      this.#counted += result.length
      this.#rewrittenCopy = result
      return result
    }
    this.#refuseCopy(result.length)
    return result
  }

  /** Refuses a message because a copy of it does not fit into memory: for good if it never fits. */
  #refuseCopy(length: number): string {
    const reply = this.#memory.couldHold(this.#counted + length) ? replies.outOfMemory : replies.tooBig
    this.#refuse(reply)
    return reply
  }
}
