import type { Block } from './blocks.ts'
import { excerpt } from './finding.ts'

const STOP = /[.!?:。！？：।۔။។።؟](?:[”’»“」』)）])*$/u
/** A word or a hole, and nothing after it. */
const CUT = /[\p{L}\p{M}\p{N},;，；、،؛၊፣]$/u

/** Paragraphs that end in the middle where the source's end with a stop: something was cut off. Thai has no stops. */
export function checkEndings(blocks: Block[], source: Block[], code: string): string[] {
  if (code === 'th' || blocks.length !== source.length) return []
  return blocks
    .filter(({ text }, i) => source[i]?.kind === 'p' && STOP.test(source[i]?.text ?? '') && CUT.test(text))
    .map(({ text }) => `ends without a stop: "${excerpt(text, text.length)}"`)
}
