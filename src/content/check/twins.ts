import { excerpt } from './finding.ts'
import type { Passage } from './passage.ts'

/** Shortest passage that two languages don't share by accident, in characters. */
const LONG = 40

/** Passages that stand word for word in another language, which one of them was copied from. */
export function findTwins(passages: readonly Passage[], others: ReadonlyMap<string, readonly Passage[]>): Passage[] {
  const theirs = new Map(
    [...others].flatMap(([code, list]) =>
      list.filter(({ text }) => text.length >= LONG).map(({ text }) => [text, code] as const),
    ),
  )
  return passages
    .filter(({ text }) => theirs.has(text))
    .map(({ where, text }) => ({ where, text: `is the same in ${theirs.get(text)}: "${excerpt(text)}"` }))
}
