import { HEADERS_MAX_BYTES } from '#core/mailbox/message.ts'

/** Limits for parsing one message. A message over a limit is still listed, and its source can be read. */
export interface ParseLimits {
  maxParts: number
  maxDepth: number
  maxHeaderBytes: number
  maxLines: number
  /** How many levels of messages forwarded within messages are parsed. */
  maxForwards: number
}

export const defaultParseLimits: ParseLimits = {
  maxParts: 1000,
  maxDepth: 100,
  maxHeaderBytes: HEADERS_MAX_BYTES,
  maxLines: 400_000,
  maxForwards: 5,
}

/** Counts the line feeds of a message. */
export function countLines(raw: Uint8Array): number {
  let lines = 0
  for (let at = raw.indexOf(10); at !== -1; at = raw.indexOf(10, at + 1)) lines++
  return lines
}
