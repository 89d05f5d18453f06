import { excerpt } from './finding.ts'
import { isName } from './names.ts'
import type { Profile } from './profiles.ts'

/** Least part of the letters of all texts that the script of the language has, where that isn't Latin. */
const LEAST = 0.85

const isLatin = ({ scripts }: Profile): boolean => scripts[0] === 'Latin'
const inside = ({ scripts }: Profile): string => scripts.map((each) => `\\p{scx=${each}}`).join('')

/**
 * Words with a letter that is of no alphabet of the language, and words of two alphabets in one: a Cyrillic `с` looks like a Latin `c` and
 * is read, searched and broken as another letter. Latin words may stand in any text.
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

/** Share of the letters that are of the language's script, names left out. */
export function checkScript(text: string, profile: Profile): string[] {
  if (isLatin(profile)) return []
  const prose = text.replaceAll(/[a-z][\w’'-]*/gi, (word) => (isName(word) ? '' : word))
  const count = (pattern: string): number => prose.match(new RegExp(pattern, 'gu'))?.length ?? 0
  const letters = count('\\p{L}')
  const share = count(`(?=\\p{L})[${inside(profile)}]`) / letters
  return letters > 0 && share < LEAST ? [`has only ${Math.round(share * 100)} % of its letters in its own script`] : []
}

/** Letters without which no long text of the language is. */
export function checkNeeds(text: string, { needs }: Profile): string[] {
  const lower = text.toLowerCase()
  const lacks = Array.from(needs).filter((letter) => !lower.includes(letter))
  return lacks.length > 0 ? [`has nowhere the letters ${lacks.join(' ')}`] : []
}
