import { widthOf } from './width.ts'

/** Four buttons side by side on a narrow phone. */
const NARROW = /^address\.(?:copy|copied|refresh|change|delete)$/
/** Buttons that stand beside others. */
const BUTTON =
  /\.(?:copy\w*|view|open|print|delete|save|close|confirm|cancel|dismiss|accept|send|download\w*|retry|extend|random)$/
/** Texts that may take another line. */
const SENTENCE = /[Tt]ext$|\.meta\w+$|^(?:problem|live)\./
/** Longest source that counts as a label, in columns. */
const LABEL = 32

/**
 * Whether a message has room where the source has: each of the four buttons under the address thirteen columns; other buttons 1.4 times
 * the source's and eight; labels 1.4 times and twelve, and twenty in any case; sentences 2.2 times, and 28.
 */
export function checkFit(key: string, text: string, source: string): string[] {
  const [own, most] = [widthOf(text), roomOf(key, widthOf(source))]
  return own > most ? [`is ${own} columns long, more than ${most}: ${text}`] : []
}

function roomOf(key: string, wanted: number): number {
  if (NARROW.test(key)) return 13
  if (BUTTON.test(key)) return Math.floor(wanted * 1.4 + 8)
  if (wanted > LABEL || SENTENCE.test(key)) return Math.max(28, Math.floor(wanted * 2.2))
  return Math.max(20, Math.floor(wanted * 1.4 + 12))
}
