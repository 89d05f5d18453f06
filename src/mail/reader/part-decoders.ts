import { concat, CR, LF } from '../bytes.ts'
import { base64Values, endOfBase64, isBlank, NO_DIGIT } from './base64.ts'

/** Decodes the body of a MIME part, which is passed as a whole or in chunks of whole lines. */
export interface PartDecoder {
  update(lines: Uint8Array): void
  finalize(): Promise<ArrayBuffer>
  /** Whether further content is only counted. */
  readonly full: boolean
  /** Whether the content is shown as text, with LF at the end of each line. Otherwise its bytes are kept as they were sent. */
  readonly isText: boolean
}

const EQUALS = 0x3d

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** Returns the index after the CRs that begin at `at`. */
function afterReturns(lines: Uint8Array, at: number): number {
  let end = at
  while (lines[end] === CR) end++
  return end
}

/** Returns the index after the spaces, tabs and CRs that begin at `at`. */
function afterBlanks(lines: Uint8Array, at: number): number {
  let end = at
  while (isBlank(lines[end]) || lines[end] === CR) end++
  return end
}

/** Whether a line ends at `at`, which is not a CR. */
const endsLine = (lines: Uint8Array, at: number): boolean => at === lines.length || lines[at] === LF

/** Bytes that may still be kept, by one part or by several parts together. Further bytes are only counted. */
export interface Keep {
  left: number
}

/** The full sizes of truncated contents. */
const sizes = new WeakMap<ArrayBuffer, number>()

/** Returns the size of a content before truncation. */
export const uncutSize = (content: ArrayBuffer): number => sizes.get(content) ?? content.byteLength

/** Collects the bytes of a content up to a limit and counts the rest. */
abstract class Collector implements PartDecoder {
  readonly #chunks: Uint8Array[] = []
  readonly #keep: Keep
  readonly isText: boolean
  #size = 0

  constructor(keep: Keep, isText: boolean) {
    this.#keep = keep
    this.isText = isText
  }

  abstract update(lines: Uint8Array): void

  async finalize(): Promise<ArrayBuffer> {
    const [only] = this.#chunks
    const whole = only && this.#chunks.length === 1 && only.length === only.buffer.byteLength
    const content = whole ? (only.buffer as ArrayBuffer) : concat(...this.#chunks).buffer
    this.#chunks.length = 0
    if (this.#size > content.byteLength) sizes.set(content, this.#size)
    return content
  }

  get full(): boolean {
    return this.#keep.left === 0
  }

  /** Bytes that may still be kept. */
  protected get left(): number {
    return this.#keep.left
  }

  /** Counts `length` bytes that were not decoded. */
  protected count(length: number): void {
    this.#size += length
  }

  /** Returns a buffer for at most `bytes` decoded bytes, limited to what is kept. */
  protected room(bytes: number): Uint8Array {
    return new Uint8Array(Math.min(bytes, this.#keep.left))
  }

  /** Adds `length` decoded bytes, of which `out` has as many as fit. */
  protected add(out: Uint8Array, length: number): void {
    this.#size += length
    const kept = Math.min(length, out.length)
    this.#keep.left -= kept
    if (kept > 0) this.#chunks.push(out.subarray(0, kept))
  }

  /** Adds lines of text that are not encoded. */
  protected addText(lines: Uint8Array): void {
    if (this.full) return this.count(lines.length)
    const out = this.room(lines.length + 1)
    let length = 0
    for (let at = 0; at < lines.length; at++) {
      const byte = lines[at] as number
      if (byte !== CR) {
        out[length++] = byte
        continue
      }
      const end = afterReturns(lines, at)
      if (!endsLine(lines, end)) for (let i = at; i < end; i++) out[length++] = CR
      at = end - 1
    }
    if (lines.length > 0 && lines.at(-1) !== LF) out[length++] = LF
    this.add(out, length)
  }
}

/** 7bit, 8bit, binary and unknown encodings. */
class Identity extends Collector {
  update(lines: Uint8Array): void {
    if (this.full) return this.count(lines.length)
    const out = this.room(lines.length)
    out.set(lines.subarray(0, out.length))
    this.add(out, lines.length)
  }
}

/** Like `Identity`, but for text that is shown. */
class IdentityText extends Collector {
  update(lines: Uint8Array): void {
    this.addText(lines)
  }
}

/** The length of Base64 with line breaks, per byte. */
const BASE64_MAX_LENGTH = 1.5

/** RFC 2045 6.8. Padding ends a unit anywhere in the text, because some mailers pad every line. */
class Base64 extends Collector {
  #bits = 0
  #count = 0
  /** Whether other text follows, which a mailing list or gateway has added. */
  #ended = false

  update(lines: Uint8Array): void {
    if (!this.isText || this.full) return this.#decode(lines)
    // What follows is not kept.
    const searched = lines.subarray(0, this.left * BASE64_MAX_LENGTH)
    const found = this.#ended ? 0 : endOfBase64(searched)
    const end = found === searched.length ? lines.length : found
    this.#decode(lines.subarray(0, end))
    if (end === lines.length) return
    if (!this.#ended) this.addText(Uint8Array.of(LF))
    this.#ended = true
    this.addText(lines.subarray(end))
  }

  #decode(lines: Uint8Array): void {
    if (this.full) return this.#countOnly(lines)
    const out = this.room(Math.ceil((lines.length * 3) / 4) + 1)
    let length = 0
    let bits = this.#bits
    let count = this.#count
    for (let at = 0; at < lines.length; at++) {
      const byte = lines[at] as number
      const value = base64Values[byte] as number
      if (value === NO_DIGIT) {
        if (byte === EQUALS) bits = count = 0
        continue
      }
      bits = ((bits << 6) | value) & 0xffff
      count += 6
      if (count < 8) continue
      count -= 8
      out[length++] = bits >> count
    }
    this.#bits = bits
    this.#count = count
    this.add(out, length)
  }

  /** Like `update`, for content that is not kept. */
  #countOnly(lines: Uint8Array): void {
    let bits = this.#count
    let whole = 0
    for (let at = 0; at < lines.length; at++) {
      const byte = lines[at] as number
      if (base64Values[byte] !== NO_DIGIT) bits += 6
      else if (byte === EQUALS) {
        whole += bits >> 3
        bits = 0
      }
    }
    this.count(whole + (bits >> 3))
    this.#count = bits & 7
  }
}

/** RFC 2045 6.7. Invalid escapes are kept unchanged. */
class QuotedPrintable extends Collector {
  update(lines: Uint8Array): void {
    const { isText } = this
    const out = this.room(lines.length + 1)
    let length = 0
    /** The length without the spaces and tabs at the end so far. At the end of a line, they were added in transport. */
    let solid = 0
    let soft = false
    for (let at = 0; at < lines.length;) {
      const byte = lines[at] as number
      soft = false
      if (byte === EQUALS) {
        const high = hexValue(lines[at + 1])
        const low = hexValue(lines[at + 2])
        if (high >= 0 && low >= 0) {
          out[length++] = (high << 4) | low
          at += 3
        } else {
          const end = afterBlanks(lines, at + 1)
          soft = endsLine(lines, end)
          if (!soft) out[length++] = EQUALS
          at = soft ? end + 1 : at + 1
        }
        solid = length
      } else if (byte === CR || byte === LF) {
        const end = afterReturns(lines, at)
        const ends = endsLine(lines, end)
        if (ends) length = solid
        if (!ends || !isText) for (let i = at; i < end; i++) out[length++] = CR
        if (ends && end < lines.length) out[length++] = LF
        at = ends ? end + 1 : end
        solid = length
      } else {
        out[length++] = byte
        at++
        if (!isBlank(byte)) solid = length
      }
    }
    length = solid
    if (isText && lines.length > 0 && lines.at(-1) !== LF && !soft) out[length++] = LF
    this.add(out, length)
  }
}

/**
 * Returns a decoder for the body of a multipart. The text around its parts belongs to none of them and is discarded. If
 * there are no parts, the body is decoded with `decoder`.
 */
export function multipartDecoder(hasParts: () => boolean, decoder: PartDecoder): PartDecoder {
  let body: Uint8Array | undefined
  return {
    full: true,
    isText: decoder.isText,
    update(lines) {
      body ??= lines
    },
    async finalize() {
      if (body && !hasParts()) decoder.update(body)
      return decoder.finalize()
    },
  }
}

/**
 * Returns a decoder for a Content-Transfer-Encoding (RFC 2045 6) that keeps the first bytes of the content and counts
 * the rest. `isText`: see `PartDecoder`.
 */
export function partDecoder(encoding: string, isText: boolean, keep: Keep = { left: Infinity }): PartDecoder {
  if (/base64/i.test(encoding)) return new Base64(keep, isText)
  if (/quoted-printable/i.test(encoding)) return new QuotedPrintable(keep, isText)
  return isText ? new IdentityText(keep, isText) : new Identity(keep, isText)
}
