/** An error in a text, or something suspicious that a person has to review. */
export interface Finding {
  /** A file or a message key. */
  where: string
  what: string
}

export const findingsAt = (where: string, faults: readonly string[]): Finding[] =>
  faults.map((what) => ({ where, what }))

/** Returns the part of a text around an index. */
export function excerpt(text: string, at = 0, length = 48): string {
  const start = Math.max(0, at - length / 2)
  const part = text.slice(start, start + length).trim()
  return `${start > 0 ? '…' : ''}${part}${start + length < text.length ? '…' : ''}`
}
