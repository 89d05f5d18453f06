/** Something in a text that is wrong, or looks so much like it that a person has to decide. */
export interface Finding {
  /** A file, or a message key. */
  where: string
  what: string
}

export const findingsAt = (where: string, faults: readonly string[]): Finding[] =>
  faults.map((what) => ({ where, what }))

/** The part of a text around a place, to find it by. */
export function excerpt(text: string, at = 0, length = 48): string {
  const start = Math.max(0, at - length / 2)
  const part = text.slice(start, start + length).trim()
  return `${start > 0 ? '…' : ''}${part}${start + length < text.length ? '…' : ''}`
}
