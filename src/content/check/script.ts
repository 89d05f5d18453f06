import { excerpt } from './finding.ts'
import { isName } from './names.ts'
import type { Profile } from './profiles.ts'

/** Least part of the letters of a whole text that its own script has, where that isn't Latin. */
const LEAST = 0.85

/** Letters that are of no script or alphabet of the language; single letters of another one look the same and read wrong. */
export function checkLetters(text: string, { scripts, letters }: Profile): string[] {
  const foreign = [...text.matchAll(/\p{L}+/gu)].filter(([word]) =>
    Array.from(word.toLowerCase()).some(
      (letter) => !own(letter, scripts) && !(/[a-z]/.test(letter) || letters.includes(letter)),
    ),
  )
  const mixed = [...text.matchAll(/[\p{L}\p{M}]+/gu)].filter(
    ([word]) => scripts[0] !== 'Latin' && /[a-z]/i.test(word) && !isName(word) && mixes(word, scripts),
  )
  const words = [...new Set([...foreign, ...mixed].map(([word]) => word))]
  return words.map((word) => `has letters of another alphabet: ${word} in "${excerpt(text, text.indexOf(word))}"`)
}

const patterns = new Map<string, RegExp>()

function patternOf(scripts: readonly string[]): RegExp {
  const name = scripts.join()
  const pattern = patterns.get(name) ?? new RegExp(`[${scripts.map((each) => `\\p{scx=${each}}`).join('')}]`, 'u')
  patterns.set(name, pattern)
  return pattern
}

const own = (letter: string, scripts: readonly string[]): boolean =>
  scripts[0] !== 'Latin' && patternOf(scripts).test(letter)

/** A Latin letter inside of a word of another alphabet, such as a Latin `c` among Cyrillic letters. */
const mixes = (word: string, scripts: readonly string[]): boolean =>
  scripts[0] === 'Cyrillic' && patternOf(scripts).test(word)

/** Share of the letters that are of the language's script, names left out. */
export function checkScript(text: string, { scripts }: Profile): string[] {
  if (scripts[0] === 'Latin') return []
  const prose = text.replaceAll(/[a-z][\w’'-]*/gi, (word) => (isName(word) ? '' : word))
  const count = (pattern: RegExp): number => [...prose.matchAll(new RegExp(pattern, 'gu'))].length
  const all = count(/\p{L}/u)
  const share = all === 0 ? 1 : [...prose.matchAll(/\p{L}/gu)].filter(([letter]) => own(letter, scripts)).length / all
  return share < LEAST ? [`has only ${Math.round(share * 100)} % of its letters in its own script`] : []
}

/** Letters without which no long text of the language is. */
export function checkNeeds(text: string, { needs }: Profile): string[] {
  const lacks = Array.from(needs).filter((letter) => !text.toLowerCase().includes(letter))
  return lacks.length > 0 ? [`has nowhere the letters ${lacks.join(' ')}`] : []
}
