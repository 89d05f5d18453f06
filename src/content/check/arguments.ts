import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { argumentsOf } from './icu.ts'

/**
 * Checks that a message has the same arguments and types as the source (a number may be a plural, and the other way
 * round, as the grammar of the language demands), and each plural the categories of the language:
 * `other` and those of whole numbers up to 1000. Categories that only occur for millions or in compact notation (`many`
 * in es, fr, it, pt) are optional. Branches for exact numbers (`=0`) must be those of the source.
 */
export function checkArguments(
  message: MessageFormatElement[],
  source: MessageFormatElement[],
  locale: string,
): string[] {
  const [own, expected] = [argumentsOf(message), argumentsOf(source)]
  const described = (list: typeof own) => [
    ...new Set(list.map(({ name, type }) => `{${name}} ${type === 'plural' ? 'number' : type}`)),
  ]
  const missing = described(expected)
    .filter((each) => !described(own).includes(each))
    .map((each) => `lacks the argument ${each}`)
  const superfluous = described(own)
    .filter((each) => !described(expected).includes(each))
    .map((each) => `has the argument ${each}, which the source does not have`)
  const plurals = own
    .filter(({ type }) => type === 'plural')
    .flatMap(({ name, branches }) => {
      const model = expected.find((each) => each.name === name && each.type === 'plural')
      return checkBranches(branches, model?.branches ?? [], locale).map((fault) => `{${name}}: ${fault}`)
    })
  return [...missing, ...superfluous, ...plurals]
}

interface Categories {
  /** The categories of whole numbers up to 1000, and `other`. */
  needed: ReadonlySet<string>
  /** Others that may occur. */
  optional: readonly string[]
}

const categories = new Map<string, Categories>()

/** Returns the plural categories of a language. They are computed once. */
function categoriesOf(locale: string): Categories {
  const known = categories.get(locale)
  if (known) return known
  const rules = new Intl.PluralRules(locale)
  const needed = new Set(Array.from({ length: 1001 }, (_, n): string => rules.select(n))).add('other')
  // Without a category for one, a sentence about a single thing may still need words of its own.
  const single = rules.select(1) === 'other' ? ['=1'] : []
  const found = { needed, optional: [...single, ...rules.resolvedOptions().pluralCategories] }
  categories.set(locale, found)
  return found
}

/** Checks the branches of a plural. */
export function checkBranches(branches: string[], source: string[], locale: string): string[] {
  const { needed, optional } = categoriesOf(locale)
  const expected = [...needed, ...source.filter((branch) => branch.startsWith('='))]
  const allowed = new Set([...expected, ...optional])
  return [
    ...expected.filter((each) => !branches.includes(each)).map((each) => `lacks the branch ${each}`),
    ...branches.filter((each) => !allowed.has(each)).map((each) => `the language has no branch ${each}`),
  ]
}
