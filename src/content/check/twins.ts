import { excerpt } from './finding.ts'
import type { Passage } from './passage.ts'

/** The shortest passage that two languages do not share by coincidence, in characters. */
const LONG = 40

/** Returns the languages of each long passage by its text. If there are two, one is a copy. */
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
