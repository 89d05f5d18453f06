import { widthOf } from './passage.ts'

/** The four buttons that are side by side on a narrow phone. */
const NARROW = /^address\.(?:copy|copied|refresh|change|delete)$/
/** Buttons that are beside other buttons. */
const BUTTON =
  /\.(?:copy\w*|view|open|print|delete|save|close|confirm|cancel|dismiss|accept|send|download\w*|retry|extend|random)$/
/** Texts that may wrap. */
const SENTENCE = /[Tt]ext$|\.meta\w+$|^(?:problem|live)\./
/** The longest source text that counts as a label, in columns. */
const LABEL = 32

/**
 * Checks whether a message fits where the source fits. The limits in columns are 13 for each of the four buttons under
 * the address, 1.4 times the source plus 8 for other buttons, 1.4 times plus 12 but at least 20 for labels, and 2.2
 * times but at least 28 for sentences.
 */
export function checkFit(key: string, text: string, source: string): string[] {
  const [own, most] = [widthOf(text), roomOf(key, widthOf(source))]
  return own > most ? [`is ${own} columns long, more than ${most}: ${text}`] : []
}

function roomOf(key: string, sourceWidth: number): number {
  if (NARROW.test(key)) return 13
  if (BUTTON.test(key)) return Math.floor(sourceWidth * 1.4 + 8)
  if (sourceWidth > LABEL || SENTENCE.test(key)) return Math.max(28, Math.floor(sourceWidth * 2.2))
  return Math.max(20, Math.floor(sourceWidth * 1.4 + 12))
}
