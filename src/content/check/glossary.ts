import type { Messages } from './keys.ts'
import { PLACEHOLDER } from './passage.ts'

/**
 * How a language says a term. In English `use` has the forms by which a text is found to have the term. In another
 * language it has stems: a message whose source has the term must contain one of them; an empty list disables this.
 * `avoid` has words that never occur. `except` has the keys of messages that say it in another way.
 */
interface Entry {
  use: readonly string[]
  avoid?: readonly string[]
  except?: readonly string[]
}

/** The terms of a language, by the English term. */
export type Glossary = Record<string, Entry>

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Myanmar}]/u

const LETTER = String.raw`[\p{L}\p{M}\p{N}]`

const patterns = new WeakMap<readonly string[], RegExp>()

/** Finds the words in a text. In scripts with spaces only whole words match. */
function wordsPattern(words: readonly string[]): RegExp {
  const known = patterns.get(words)
  if (known) return known
  const alternatives = words.map((word) => {
    const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    return UNSPACED.test(word) ? escaped : `(?<!${LETTER})${escaped}(?!${LETTER})`
  })
  const pattern = new RegExp(alternatives.join('|') || '(?!)', 'giu')
  patterns.set(words, pattern)
  return pattern
}

/**
 * Returns the terms that an English text has. Longer terms come first and hide the shorter ones in them: `API key` is
 * not a `key`.
 */
export function termsIn(text: string, english: Glossary): string[] {
  const longest = Object.entries(english).toSorted(([a], [b]) => b.length - a.length)
  let rest = text
  return longest.flatMap(([term, { use }]) => {
    const before = rest
    rest = rest.replaceAll(wordsPattern(use), PLACEHOLDER)
    return rest === before ? [] : [term]
  })
}

/** What a message is checked with. `locale` is that of the language, for lower case. */
export interface Glossaries {
  own: Glossary
  english: Glossary
  locale: string
}

/** Checks that a message has the words of the glossary for the terms of its source. */
export function checkTerms(key: string, text: string, source: string, { own, english, locale }: Glossaries): string[] {
  const lower = text.toLocaleLowerCase(locale)
  return termsIn(source, english).flatMap((term) => {
    const { use = [], except = [] } = own[term] ?? {}
    if (use.length === 0 || except.includes(key)) return []
    if (use.some((stem) => lower.includes(stem.toLocaleLowerCase(locale)))) return []
    return [`has none of the words for "${term}" in the glossary: ${use.join(', ')}`]
  })
}

/** The name of a page. It is no use of "mail address" in "10 Minute Mail address". */
const NAME = '10 Minute Mail'

/** Finds words that the glossary forbids. */
export function checkAvoided(text: string, glossary: Glossary): string[] {
  const prose = text.replaceAll(NAME, PLACEHOLDER)
  return Object.entries(glossary).flatMap(([term, { use, avoid = [] }]) => {
    const [word] = prose.match(wordsPattern(avoid)) ?? []
    return word === undefined
      ? []
      : [`says "${word}" for "${term}"${use.length > 0 ? `, not ${use.join(' or ')}` : ''}`]
  })
}

/** The glossary of a language with its interface texts. */
interface GlossaryOf {
  glossary: Glossary
  messages: Messages
}

/** Checks that a glossary has the terms of the English one, and that the excepted messages exist and have the term. */
export function checkGlossary(own: Glossary, { glossary: english, messages }: GlossaryOf): string[] {
  const missing = Object.keys(english).filter((term) => !(term in own))
  const unknown = Object.keys(own).filter((term) => !(term in english))
  const idle = Object.entries(own).flatMap(([term, { except = [] }]) =>
    except.filter((key) => !termsIn(messages[key] ?? '', english).includes(term)).map((key) => `${term} of ${key}`),
  )
  return [
    ...(missing.length > 0 ? [`lacks the terms ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`has terms that the English one lacks: ${unknown.join(', ')}`] : []),
    ...(idle.length > 0 ? [`has exceptions for nothing: ${idle.join(', ')}`] : []),
  ]
}
