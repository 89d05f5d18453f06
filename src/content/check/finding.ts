/** Something in a text that is wrong, or looks so much like it that a person has to decide. */
export interface Finding {
  /** A file, or a message key. */
  where: string
  what: string
}

/** The beginning of a text, to find it by. */
export function excerpt(text: string, from = 0, length = 48): string {
  const start = Math.max(0, from - length / 2)
  const part = text.slice(start, start + length).trim()
  return `${start > 0 ? '…' : ''}${part}${start + length < text.length ? '…' : ''}`
}
