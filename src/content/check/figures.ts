import { FIGURES, mentionsOf } from '../figures.ts'
import { checkBranches } from './arguments.ts'
import { argumentsOf, parseMessage, variantsOf } from './icu.ts'

const KNOWN: ReadonlySet<string> = new Set([...FIGURES.counts, ...FIGURES.words, ...Object.keys(FIGURES.kinds)])
const COUNTS: ReadonlySet<string> = new Set(FIGURES.counts)
const KINDS: Readonly<Record<string, readonly string[]>> = FIGURES.kinds
const CODE = /^```[^]*?^```|`[^`\n]*`/gm

/**
 * Checks the figures that a text mentions: each is known, each plural has a number and the forms of the language, and
 * each select the values of its kind.
 * Whether they are those of the source is seen from the numbers (see `checkNumbers`).
 */
export function checkFigures(text: string, locale: string): string[] {
  const prose = text.replaceAll(CODE, '')
  const known = mentionsOf(prose)
  const rest = known.reduce((left, { mention }) => left.replace(mention, ''), prose)
  const unknown = [...rest.matchAll(/\{(\w+)(?:\}|,\s*(?:plural|select))/g)].map(([, name = '']) =>
    KNOWN.has(name)
      ? `the figure {${name}} is not written as {${name}}, {${name}, plural, …} or {${name}, select, …}`
      : `there is no figure {${name}}`,
  )
  return [...unknown, ...known.flatMap(({ name, mention }) => checkMention(name, mention, locale))]
}

function checkMention(name: string, mention: string, locale: string): string[] {
  let parts
  try {
    parts = argumentsOf(parseMessage(mention))
  } catch {
    return [`{${name}} is not a valid ICU message: ${mention}`]
  }
  return parts.flatMap(({ name: part, type, branches }) => {
    const values = KINDS[part]
    if (type === 'select' || values) return checkSelect(part, type, branches)
    if (type !== 'plural') return []
    if (!COUNTS.has(part)) return [`{${part}} is no number and has no plural`]
    return checkBranches(branches, [], locale).map((fault) => `{${part}}: ${fault}`)
  })
}

function checkSelect(name: string, type: string, branches: readonly string[]): string[] {
  const values = KINDS[name]
  if (!values) return [`{${name}} is no kind and has no select`]
  if (type !== 'select') return [`{${name}} is not written as {${name}, select, …}`]
  return branches
    .filter((branch) => branch !== 'other' && !values.includes(branch))
    .map((branch) => `{${name}} is never ${branch}`)
}

/** Returns the texts of all plural branches, of which a filled text has only one. */
export const branchTexts = (text: string): string[] =>
  mentionsOf(text).flatMap(({ name, mention }) => {
    if (mention === `{${name}}`) return []
    try {
      return variantsOf(parseMessage(mention))
    } catch {
      return []
    }
  })
