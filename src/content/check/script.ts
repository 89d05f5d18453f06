import { excerpt } from './finding.ts'
import { isName } from './names.ts'
import type { Profile } from './profiles.ts'

/** The least share of letters in the script of the language, if that is not Latin. */
const LEAST = 0.85

const isLatin = ({ scripts }: Profile): boolean => scripts[0] === 'Latin'
const inside = ({ scripts }: Profile): string => scripts.map((each) => `\\p{scx=${each}}`).join('')

/**
 * Finds words with a letter outside the alphabets of the language, and words that mix two alphabets: a Cyrillic `с`
 * looks like a Latin `c`, but screen readers, search and line breaking treat it as a different letter. Latin words are
 * allowed in any text.
 */
export function checkLetters(text: string, profile: Profile): string[] {
  const own = isLatin(profile) ? profile.letters : inside(profile)
  const foreign = new RegExp(`(?![a-z${own}])\\p{L}`, 'iu')
  const mixed =
    isLatin(profile) || profile.scripts[0] !== 'Cyrillic' ? /^$/ : /[a-z]\p{sc=Cyrillic}|\p{sc=Cyrillic}[a-z]/iu
  const words = (text.match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => foreign.test(word) || mixed.test(word))
  return [...new Set(words)].map(
    (word) => `has letters of another alphabet: ${word} in "${excerpt(text, text.indexOf(word))}"`,
  )
}

/** Checks the share of letters in the script of the language, without names. */
export function checkScript(text: string, profile: Profile): string[] {
  if (isLatin(profile)) return []
  const prose = text.replaceAll(/[a-z][\w’'-]*/gi, (word) => (isName(word) ? '' : word))
  const count = (pattern: string): number => prose.match(new RegExp(pattern, 'gu'))?.length ?? 0
  const letters = count('\\p{L}')
  const share = count(`(?=\\p{L})[${inside(profile)}]`) / letters
  return letters > 0 && share < LEAST ? [`has only ${Math.round(share * 100)} % of its letters in its own script`] : []
}

/** Checks that a long text uses the required letters of the language. */
export function checkNeeds(text: string, { needs }: Profile): string[] {
  const lower = text.toLowerCase()
  const missing = Array.from(needs).filter((letter) => !lower.includes(letter))
  return missing.length > 0 ? [`never uses the letters ${missing.join(' ')}`] : []
}
