import { FIGURES, mentionsOf } from '../figures.ts'
import { checkBranches } from './arguments.ts'
import { argumentsOf, parseMessage, variantsOf } from './icu.ts'

const KNOWN: ReadonlySet<string> = new Set([...FIGURES.counts, ...FIGURES.words])
const COUNTS: ReadonlySet<string> = new Set(FIGURES.counts)
const CODE = /^```[^]*?^```|`[^`\n]*`/gm

/**
 * Checks the figures that a text mentions: each is known, and each plural has a number and the forms of the language.
 * Whether they are those of the source is seen from the numbers (see `checkNumbers`).
 */
export function checkFigures(text: string, locale: string): string[] {
  const prose = text.replaceAll(CODE, '')
  const known = mentionsOf(prose)
  const rest = known.reduce((left, { mention }) => left.replace(mention, ''), prose)
  const unknown = [...rest.matchAll(/\{(\w+)(?:\}|,\s*plural)/g)].map(([, name = '']) =>
    KNOWN.has(name)
      ? `the figure {${name}} is not written as {${name}} or {${name}, plural, …}`
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
  const [plural] = parts
  if (plural?.type !== 'plural') return []
  if (!COUNTS.has(name)) return [`{${name}} is no number and has no plural`]
  return checkBranches(plural.branches, [], locale).map((fault) => `{${name}}: ${fault}`)
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
