import type { LanguageWords } from './language.ts'
import { SPACED, stems, whole } from './stems.ts'

/** What a line is about, besides codes. */
export const TOPICS = ['promo', 'meeting', 'place', 'pickup', 'visit', 'done', 'news'] as const
const MEANINGS = [
  ...TOPICS,
  'verify',
  'login',
  'password',
  'join',
  'care',
  'temporary',
  'enter',
  'alert',
  'yes',
  'accept',
  'notMe',
  'quiet',
  'go',
  'trade',
] as const satisfies (keyof LanguageWords)[]
export type Meaning = (typeof MEANINGS)[number]

/** Characters at the start of a word by which its stems are looked up. */
const KEY = 3
const LITERAL = /^[\p{L}\p{N} ,'’]{3}/u

/** Stems that begin with the same characters, for each meaning. */
const byKey = new Map<string, { meaning: Meaning; stems: RegExp }[]>()
/** The other stems of scripts that separate words, and those of scripts that don't. */
const others: { meaning: Meaning; spaced: RegExp; joined: RegExp }[] = []

for (const meaning of MEANINGS) {
  const words = meaning === 'trade' ? whole(stems(meaning)) : stems(meaning)
  const groups = new Map<string, string[]>()
  const rest: string[] = []
  for (const word of words.filter((each) => SPACED.test(each))) {
    const key = LITERAL.exec(word)?.[0]
    if (key === undefined || /^[?*]/.test(word.slice(KEY))) rest.push(word)
    else groups.set(key, [...(groups.get(key) ?? []), word])
  }
  for (const [key, group] of groups)
    byKey.set(key, [...(byKey.get(key) ?? []), { meaning, stems: new RegExp(`(?:${group.join('|')})`, 'uy') }])
  const joined = words.filter((each) => !SPACED.test(each))
  others.push({
    meaning,
    spaced: new RegExp(rest.length > 0 ? `(?<![\\p{L}\\p{N}])(?:${rest.join('|')})` : '$^', 'u'),
    joined: new RegExp(joined.length > 0 ? joined.join('|') : '$^', 'u'),
  })
}

const anySpaced = new RegExp(others.map(({ spaced }) => spaced.source).join('|'), 'u')
const WORD = /[\p{L}\p{N}]+/gu
/** A letter of a script that does not separate words, or of Hebrew, Arabic or India, where prefixes join words. */
const JOINED = /[\u0590-\u10ff\u1200-\u1cff\u3040-\ud7ff]/

/** Returns what the words of a text in lower case mean. */
export function meaningsOf(text: string): ReadonlySet<Meaning> {
  const found = new Set<Meaning>()
  for (const { index } of text.matchAll(WORD))
    for (const { meaning, stems: pattern } of byKey.get(text.slice(index, index + KEY)) ?? []) {
      if (found.has(meaning)) continue
      pattern.lastIndex = index
      if (pattern.test(text)) found.add(meaning)
    }
  const mayBeSpaced = anySpaced.test(text)
  const mayBeJoined = JOINED.test(text)
  if (mayBeSpaced || mayBeJoined)
    for (const { meaning, spaced, joined } of others)
      if (!found.has(meaning) && ((mayBeSpaced && spaced.test(text)) || (mayBeJoined && joined.test(text))))
        found.add(meaning)
  return found
}
