import { folded } from './search.ts'

/** The longest condition that the API takes. */
const LONGEST = 200
/** Characters of a word that are searched. Longer words differ before. */
const SEARCHED = 60

/**
 * In the source of sanitized HTML this is the text outside of tags and of the style sheet at its beginning, and in plain
 * text everything. A text may have "a < b" and "<https://example.org>".
 */
const IN_TEXT = String.raw`(?:^|[^e]>|[^l]e>|[^y]le>)(?:[^<]|<(?:[^a-z\/]|[\w-]+[:@.]))*`

/** Characters that HTML escapes. */
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

let forms: Map<string, string> | undefined

/** By folded character, as a part of a character class: it and all its forms, such as "É" and "é" of "E". */
function formsOf(character: string): string {
  forms ??= allForms()
  return forms.get(character) ?? character
}

function allForms(): Map<string, string> {
  const points = new Map<string, number[]>()
  // Latin, Greek, Cyrillic and Kana with marks, without historic Latin letters: a class must be short.
  for (const [first, last] of [
    [0xc0, 0x1b0],
    [0x37f, 0x52f],
    [0x1e80, 0x1fff],
    [0x3040, 0x30ff],
  ] as const) {
    for (let point = first; point <= last; point++) {
      const base = folded(String.fromCodePoint(point))
      if (base.length === 1) points.set(base, [...(points.get(base) ?? []), point])
    }
  }
  return new Map([...points].map(([base, all]) => [base, base + rangesOf(all)]))
}

function rangesOf(points: readonly number[]): string {
  let ranges = ''
  for (let i = 0; i < points.length; i++) {
    const start = i
    while (points[i + 1] === (points[i] as number) + 1) i++
    const [from, to] = [start, i].map((at) => String.fromCodePoint(points[at] as number))
    ranges += from === to ? from : `${from}-${to}`
  }
  return ranges
}

/** Two folded characters that may be one. */
const PAIRS: Record<string, string> = { SS: '(?:SS|ß)' }

/** A regular expression of the API that finds a folded word in the text of a message, with or without accents. */
export function wordPattern(word: string): string {
  // Hangul is folded to its parts.
  const parts = word.normalize('NFC').slice(0, SEARCHED).toWellFormed().match(/SS|./gsu) ?? []
  const plain = parts.map((part) => (/[!-/:-@[-`{-~]/.test(part) ? `\\${part}` : part))
  const end = '/im'
  let pattern = `/${IN_TEXT}`
  let room = LONGEST - pattern.length - plain.join('').length - end.length
  for (const [i, part] of parts.entries()) {
    const all = formsOf(part)
    const simple = plain[i] ?? ''
    const escaped = ESCAPED[part]
    const rich = PAIRS[part] ?? (escaped ? `(?:${simple}|${escaped})` : all === part ? simple : `[${all}]`)
    // What doesn't fit is searched as it is.
    const fits = rich.length - simple.length <= room
    if (fits) room -= rich.length - simple.length
    pattern += fits ? rich : simple
  }
  return pattern + end
}
