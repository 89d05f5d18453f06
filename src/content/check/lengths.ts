import type { Block } from './blocks.ts'
import { excerpt } from './finding.ts'
import { widthOf } from './passage.ts'

/** Shorter blocks of the source are not compared. In columns. */
const LONG = 160
/** The allowed length of a block relative to the length expected from the whole text. */
const BAND: [number, number] = [0.68, 1.45]

const total = (blocks: Block[]): number => blocks.reduce((sum, { text }) => sum + widthOf(text), 0)

/** Returns the length of a text in columns relative to the source. */
const ratioOf = (blocks: Block[], source: Block[]): number => total(blocks) / Math.max(1, total(source))

/**
 * Checks that a text has the usual length for its language, and that no block is much shorter or longer than its
 * neighbors.
 */
export function checkLengths(blocks: Block[], source: Block[], [least, most]: readonly [number, number]): string[] {
  const ratio = ratioOf(blocks, source)
  if (ratio < least || ratio > most)
    return [`is ${ratio.toFixed(2)} times as long as the source, not ${least} to ${most}`]
  if (blocks.length !== source.length) return []
  return blocks.flatMap(({ text }, i) => {
    const sourceWidth = widthOf(source[i]?.text ?? '')
    const share = widthOf(text) / sourceWidth / ratio
    if (sourceWidth < LONG || (share > BAND[0] && share < BAND[1])) return []
    return [
      `says ${share < 1 ? 'less' : 'more'} than the source (${share.toFixed(2)} of the usual length): "${excerpt(text)}"`,
    ]
  })
}
