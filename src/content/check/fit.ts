import { widthOf } from './width.ts'

/** Four buttons side by side on a narrow phone. */
const NARROW = /^address\.(?:copy|copied|refresh|change|delete)$/
const NARROW_WIDTH = 13
/** Texts that may take another line. */
const SENTENCES =
  /[Tt]ext$|^(?:site\.footer|home\.meta\w+|change\.meta\w+|problem\..*|delete\.text|message\.remote)$|\.meta\w+$/
/** Longest source that counts as a label, in columns. */
const LABEL = 32
/** Buttons among the labels: they stand beside others. */
const BUTTONS =
  /\.(?:copy\w*|view|open|print|delete|save|close|confirm|cancel|dismiss|accept|send|download\w*|retry|extend|random)$/

/**
 * Whether a message has room where the source has: buttons may be 1.4 times as long and eight columns more, other labels
 * 1.4 times and twelve, sentences 2.2 times, each of the four buttons under the address thirteen columns.
 */
export function checkFit(key: string, text: string, source: string): string[] {
  const [own, wanted] = [widthOf(text), widthOf(source)]
  const label = wanted <= LABEL && !SENTENCES.test(key)
  const most = NARROW.test(key)
    ? NARROW_WIDTH
    : Math.floor(label ? wanted * 1.4 + (BUTTONS.test(key) ? 8 : 12) : wanted * 2.2)
  return own > most ? [`is ${own} columns long, more than ${most}: ${text}`] : []
}
