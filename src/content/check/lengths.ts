import type { Block } from './blocks.ts'
import { excerpt } from './finding.ts'
import { widthOf } from './width.ts'

/** A block of the source that is long enough to compare with, in columns. */
const LONG = 160
/** How far the length of a block may be from what the rest of its text makes expect. */
const BAND: [number, number] = [0.68, 1.45]

const total = (blocks: Block[]): number => blocks.reduce((sum, { text }) => sum + widthOf(text), 0)

/** Length of a text in columns, as a part of the source's. */
export const ratioOf = (blocks: Block[], source: Block[]): number => total(blocks) / Math.max(1, total(source))

/** A text about as long as texts of its language are, and no block of it much shorter or longer than its neighbours. */
export function checkLengths(blocks: Block[], source: Block[], [least, most]: readonly [number, number]): string[] {
  const ratio = ratioOf(blocks, source)
  if (ratio < least || ratio > most)
    return [`is ${ratio.toFixed(2)} times as long as the source, not ${least} to ${most}`]
  if (blocks.length !== source.length) return []
  return blocks.flatMap(({ text }, i) => {
    const wanted = widthOf(source[i]?.text ?? '')
    const share = widthOf(text) / wanted / ratio
    if (wanted < LONG || (share > BAND[0] && share < BAND[1])) return []
    return [
      `says ${share < 1 ? 'less' : 'more'} than the source (${share.toFixed(2)} of the usual length): "${excerpt(text)}"`,
    ]
  })
}
