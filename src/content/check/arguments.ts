import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { argumentsOf } from './icu.ts'

/**
 * The arguments of the source, with the same types; and for each plural the categories of the language: those that whole numbers
 * up to a thousand fall into, and `other`. Categories that only arise for millions or in compact notation (`many` of es, fr,
 * it, pt) may be there and need not. Branches for exact numbers (`=0`) are those of the source.
 */
export function checkArguments(
  message: MessageFormatElement[],
  source: MessageFormatElement[],
  locale: string,
): string[] {
  const [own, wanted] = [argumentsOf(message), argumentsOf(source)]
  const described = (list: typeof own) => [...new Set(list.map(({ name, type }) => `{${name}} ${type}`))]
  const lacks = described(wanted)
    .filter((each) => !described(own).includes(each))
    .map((each) => `lacks the argument ${each}`)
  const spare = described(own)
    .filter((each) => !described(wanted).includes(each))
    .map((each) => `has the argument ${each}, which the source has not`)
  const plurals = own
    .filter(({ type }) => type === 'plural')
    .flatMap(({ name, branches }) => {
      const model = wanted.find((each) => each.name === name && each.type === 'plural')
      return checkBranches(branches, model?.branches ?? [], locale).map((fault) => `{${name}}: ${fault}`)
    })
  return [...lacks, ...spare, ...plurals]
}

function checkBranches(branches: string[], source: string[], locale: string): string[] {
  const rules = new Intl.PluralRules(locale)
  const needed = new Set(Array.from({ length: 1001 }, (_, n): string => rules.select(n)))
  const wanted = [...needed.add('other'), ...source.filter((branch) => branch.startsWith('='))]
  const allowed = new Set([...wanted, ...rules.resolvedOptions().pluralCategories])
  return [
    ...wanted.filter((each) => !branches.includes(each)).map((each) => `lacks the branch ${each}`),
    ...branches.filter((each) => !allowed.has(each)).map((each) => `the language has no branch ${each}`),
  ]
}
