import type { Block } from './blocks.ts'
import { excerpt } from './finding.ts'

const STOP = /[.!?:。！？：।۔။។።؟](?:[”’»“」』)）])*$/u
/** A text that ends with a word, a hole or a comma. */
const CUT = /[\p{L}\p{M}\p{N},;，；、،؛၊፣]$/u

/**
 * Finds paragraphs without a full stop at the end where the source has one: they may be cut off. Thai has no full
 * stops.
 */
export function checkEndings(blocks: Block[], source: Block[], code: string): string[] {
  if (code === 'th' || blocks.length !== source.length) return []
  return blocks
    .filter(({ text }, i) => source[i]?.kind === 'p' && STOP.test(source[i]?.text ?? '') && CUT.test(text))
    .map(({ text }) => `ends without a stop: "${excerpt(text, text.length)}"`)
}
