import type { ParseLimits } from './limits.ts'
import type { Keep } from './part-decoders.ts'

/** The mail is over a limit of the parser. */
export class ParseLimitError extends Error {
  override readonly name = 'ParseLimitError'
}

/** What reading one mail may still cost. */
export interface ParseWork {
  limits: ParseLimits
  /** Bytes of mails forwarded within the mail that may still be read. */
  nestedBytes: number
  /** How much of a part of this type is kept. */
  keep(contentType: string): Keep
  /** Whether something was left out that a complete reading would have. */
  partial: boolean
  /** Throws a `ParseLimitError` where the time is over. */
  look(): void
}

/** A nested mail costs what it weighs, and one in it once more. A short one is always read. */
const NESTED_SHARE = 2
const NESTED_MIN_BYTES = 1024 * 1024

/** All of a mail; who runs it must end it where it takes too long. */
export const wholeWork = (raw: Uint8Array, limits: ParseLimits): ParseWork => ({
  limits,
  nestedBytes: Math.max(NESTED_MIN_BYTES, NESTED_SHARE * raw.length),
  keep: () => ({ left: Infinity }),
  partial: false,
  look() {},
})
