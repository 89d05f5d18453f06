import { type Field, JOINED, joined as joinedPattern, once, SPACED, stems, whole } from './stems.ts'

/** What a line is about, besides codes. */
export const TOPICS = ['promo', 'meeting', 'place', 'pickup', 'visit', 'done', 'news'] as const
const MEANINGS = [
  ...TOPICS,
  'verify',
  'login',
  'password',
  'join',
  'care',
  'secret',
  'unasked',
  'payment',
  'temporary',
  'enter',
  'alert',
  'yes',
  'accept',
  'notMe',
  'quiet',
  'go',
  'trade',
] as const satisfies Field[]
export type Meaning = (typeof MEANINGS)[number]

/** A word for a code in a text. */
export interface Span {
  start: number
  end: number
}

/** What the words of a text say. */
export interface Reading {
  meanings: ReadonlySet<Meaning>
  codes: Span[]
}

/** The stems of one meaning that share their first characters. */
interface Group {
  meaning: Meaning | 'code'
  stems: RegExp
}

interface Groups {
  /** By the first three and by the first two characters of their stems. */
  byKey: readonly [Map<string, Group[]>, Map<string, Group[]>]
  /** Stems that begin otherwise, and stems of scripts that don't separate words. */
  others: { meaning: Meaning | 'code'; spaced: RegExp | undefined; joined: RegExp | undefined }[]
}

const KEYS = [/^[\p{L}\p{N} ,'’]{3}(?![?*])/u, /^[\p{L}\p{N}]{2}(?![?*])/u]

/** Returns the stems that `(?:a|b)c` stands for: `ac` and `bc`. */
function withoutGroup(stem: string): string[] {
  const [all, inner] = /^\(\?:([^()]*)\)(?![?*])/.exec(stem) ?? []
  return all === undefined || inner === undefined
    ? [stem]
    : inner.split('|').map((part) => part + stem.slice(all.length))
}

function add(to: Groups, meaning: Meaning | 'code', words: readonly string[], suffix = ''): void {
  const byKey = new Map<string, string[]>()
  const rest: string[] = []
  const spaced = words.filter((word) => SPACED.test(word)).flatMap(withoutGroup)
  for (const word of spaced) {
    const key = KEYS.map((pattern) => pattern.exec(word)?.[0]).find((each) => each !== undefined)
    if (key === undefined) rest.push(word)
    else byKey.set(key, [...(byKey.get(key) ?? []), word])
  }
  for (const [key, stem] of byKey) {
    const map = to.byKey[key.length === 3 ? 0 : 1]
    map.set(key, [...(map.get(key) ?? []), { meaning, stems: new RegExp(`(?:${stem.join('|')})${suffix}`, 'uy') }])
  }
  const joined = words.filter((word) => !SPACED.test(word))
  to.others.push({
    meaning,
    spaced: rest.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${rest.join('|')})${suffix}`, 'gu') : undefined,
    joined: joined.length > 0 ? new RegExp(joinedPattern(joined), 'gu') : undefined,
  })
}

/** Created at the first call of `readWords`, so that the program and its threads start faster. */
const groups = once((): Groups => {
  const all: Groups = { byKey: [new Map(), new Map()], others: [] }
  for (const meaning of MEANINGS) add(all, meaning, meaning === 'trade' ? whole(stems(meaning)) : stems(meaning))
  // Abbreviations must match whole words: `pin`, but not `pine`. Other words may have suffixes: `kodunuz`.
  const codes = stems('code').map((word) => (/^(?:m?tan|pin|tac|otp|mdp|pwd)$/.test(word) ? `${word}(?!\\p{L})` : word))
  add(all, 'code', codes, String.raw`\p{L}{0,6}(?!\p{L})`)
  return all
})

const WORD = /[\p{L}\p{N}]+/gu

/** Reads a text in lower case once for all meanings. */
export function readWords(text: string): Reading {
  const meanings = new Set<Meaning>()
  const codes: Span[] = []
  const { byKey, others } = groups()
  const [long, short] = byKey
  const visit = (list: readonly Group[] | undefined, index: number): void => {
    if (!list) return
    for (const { meaning, stems: pattern } of list) {
      if (meaning !== 'code' && meanings.has(meaning)) continue
      pattern.lastIndex = index
      if (!pattern.test(text)) continue
      if (meaning === 'code') codes.push({ start: index, end: pattern.lastIndex })
      else meanings.add(meaning)
    }
  }
  for (const { index } of text.matchAll(WORD)) {
    visit(long.get(text.slice(index, index + 3)), index)
    visit(short.get(text.slice(index, index + 2)), index)
  }
  const mayBeJoined = JOINED.test(text)
  for (const { meaning, spaced, joined } of others)
    for (const pattern of [spaced, mayBeJoined ? joined : undefined]) {
      if (!pattern || (meaning !== 'code' && meanings.has(meaning))) continue
      if (meaning === 'code')
        for (const { 0: word, index } of text.matchAll(pattern)) codes.push({ start: index, end: index + word.length })
      else if (text.search(pattern) >= 0) meanings.add(meaning)
    }
  return { meanings, codes }
}
