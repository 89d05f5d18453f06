import { excerpt } from './finding.ts'
import type { Passage } from './passage.ts'

/** Shortest passage that two languages don't share by accident, in characters. */
const LONG = 40

/** By text, the languages that have a long passage of it: where they are two, one copied it. */
export function indexTwins(passages: ReadonlyMap<string, readonly Passage[]>): Map<string, string[]> {
  const index = new Map<string, string[]>()
  for (const [code, list] of passages) {
    for (const text of new Set(list.map((passage) => passage.text))) {
      if (text.length >= LONG) index.set(text, [...(index.get(text) ?? []), code])
    }
  }
  return index
}

export function checkTwin(text: string, code: string, index: ReadonlyMap<string, readonly string[]>): string[] {
  const others = (index.get(text) ?? []).filter((each) => each !== code)
  return others.length > 0 ? [`is the same in ${others.join(', ')}: "${excerpt(text)}"`] : []
}
