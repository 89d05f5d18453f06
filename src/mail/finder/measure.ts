import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type FinderInput, findCodeAndLink, type Found } from './finder.ts'

/** A message of the corpus and what a person would find in it. */
export type Case = FinderInput & { name: string; language: string; expect: Found }

export interface Figures {
  /** Messages with something to find, and how many of them were found or missed. */
  expected: number
  right: number
  missed: number
  /** Messages with a wrong result, or a result where there is nothing to find. */
  wrong: number
  /** right / (right + wrong) */
  precision: number
  /** right / expected */
  recall: number
}

/** Returns all messages of `test/fixtures/finder`. */
export function corpus(): Case[] {
  const directory = join(import.meta.dirname, '../../../test/fixtures/finder')
  return globSync('*.json', { cwd: directory })
    .toSorted()
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(directory, file), 'utf8')) as Omit<Case, 'language'>[]).map((mail) => ({
        ...mail,
        language: basename(file, '.json'),
      })),
    )
}

/** Compares the results of one kind with the expected ones. */
export function measure(cases: readonly Case[], kind: keyof Found): Figures & { failures: string[] } {
  const results = cases.map((mail) => ({ mail, found: findCodeAndLink(mail)[kind], expected: mail.expect[kind] }))
  const right = results.filter(({ found, expected }) => expected !== null && found === expected).length
  const missed = results.filter(({ found, expected }) => expected !== null && found === null).length
  const wrong = results.filter(({ found, expected }) => found !== null && found !== expected).length
  const expected = results.filter((result) => result.expected !== null).length
  const failures = results
    .filter((result) => result.found !== result.expected)
    .map(
      (result) =>
        `${result.mail.language}: ${result.mail.name}: found ${result.found ?? 'nothing'}, expected ${result.expected ?? 'nothing'}`,
    )
  return {
    expected,
    right,
    missed,
    wrong,
    precision: right / Math.max(1, right + wrong),
    recall: right / Math.max(1, expected),
    failures,
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

if (import.meta.main) {
  const cases = corpus()
  const nothing = cases.filter(({ expect }) => expect.code === null && expect.link === null).length
  const languages = new Set(cases.map(({ language }) => language)).size
  console.log(`${cases.length} messages in ${languages} languages, ${nothing} of them with nothing to find`)
  for (const kind of ['code', 'link'] as const) {
    const { failures, ...figures } = measure(cases, kind)
    console.log(
      `${kind}: precision ${percent(figures.precision)}, recall ${percent(figures.recall)} (${figures.right} of ${figures.expected} right, ${figures.missed} missed, ${figures.wrong} wrong)`,
    )
    for (const failure of failures) console.log(`  ${failure}`)
    if (figures.precision < 1 || figures.recall < 0.97) process.exitCode = 1
  }
}
