import { toUtf8 } from '../bytes.ts'

/** What one mail may ask of the parser. Over a limit it is still listed, and readable as source. */
export interface ParseLimits {
  maxParts: number
  maxDepth: number
  maxHeaderBytes: number
  /** The parser takes some microseconds for every line, empty ones too. */
  maxLines: number
  /** How deep mails forwarded within mails are read. */
  maxForwards: number
}

export const defaultParseLimits: ParseLimits = {
  maxParts: 1000,
  maxDepth: 100,
  maxHeaderBytes: 2 * 1024 * 1024,
  maxLines: 400_000,
  maxForwards: 5,
}

/** Line feeds in a mail. */
export function countLines(raw: Uint8Array): number {
  let lines = 0
  for (let at = raw.indexOf(10); at !== -1; at = raw.indexOf(10, at + 1)) lines++
  return lines
}

const BOUNDARY = /boundary\s*=\s*(?:"([^"]{1,200})"|([^\s";]{1,200}))/gi

/** How many parts the multipart boundaries (RFC 2046 5.1.1) of a mail begin; cheap, so it comes before the parser. */
export function countParts(raw: Uint8Array): number {
  const text = toUtf8(raw)
  const boundaries = new Set(Array.from(text.matchAll(BOUNDARY), (match) => match[1] ?? match[2]))
  if (boundaries.size === 0) return 1
  let parts = 0
  for (let at = text.indexOf('\n--'); at !== -1; at = text.indexOf('\n--', at + 1)) {
    const end = text.indexOf('\n', at + 3)
    const line = text.slice(at + 3, Math.min(end === -1 ? text.length : end, at + 203)).trimEnd()
    if (boundaries.has(line)) parts++
  }
  return parts
}
