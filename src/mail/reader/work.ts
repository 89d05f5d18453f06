import type { ParseLimits } from './limits.ts'
import type { Keep } from './part-decoders.ts'

/** The message exceeds a limit of the parser. */
export class ParseLimitError extends Error {
  override readonly name = 'ParseLimitError'
}

/** The remaining work that may be spent on parsing one message. */
export interface ParseWork {
  limits: ParseLimits
  /** Bytes of messages forwarded within the message that may still be parsed. */
  nestedBytes: number
  /** Returns how much of a part of this type is kept. */
  keep(contentType: string): Keep
  /** Whether a message forwarded within was left out that a complete parse would contain. */
  partial: boolean
  /** Whether text to show was cut. */
  cut: boolean
  /**
   * Whether to stop adding forwarded messages once one is left out. Then the attachments are the beginning of the list that
   * a complete parse returns.
   */
  inOrder: boolean
  /** Throws if the time is used up. */
  checkTime(): void
}

/** Nested messages may have this many times the size of the message in total, since each level counts again. */
const NESTED_SHARE = 2
/** Nested messages of this size in total are always parsed. */
const NESTED_MIN_BYTES = 1024 * 1024

/** The bytes of messages forwarded within a message that a complete parse reads. */
export const nestedBytesOf = (raw: Uint8Array): number => Math.max(NESTED_MIN_BYTES, NESTED_SHARE * raw.length)

/** The work for a complete parse. It has no time limit, so the caller must stop it if it takes too long. */
export const completeWork = (raw: Uint8Array, limits: ParseLimits): ParseWork => ({
  limits,
  nestedBytes: nestedBytesOf(raw),
  keep: () => ({ left: Infinity }),
  partial: false,
  cut: false,
  inOrder: false,
  checkTime() {},
})
