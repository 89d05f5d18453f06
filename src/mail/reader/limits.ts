/** What one mail may ask of the parser. Over a limit it is still listed, and readable as source. */
export interface ParseLimits {
  maxParts: number
  maxDepth: number
  maxHeaderBytes: number
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
