import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type FinderInput, findCodeAndLink, type Found } from './finder.ts'

/** A mail of the corpus and what a person would take from it. */
export type Case = FinderInput & { name: string; language: string; expect: Found }

export interface Figures {
  /** Mails with something to find, and what came of them. */
  wanted: number
  right: number
  missed: number
  /** Something else than what was to be found, or something where there is nothing. */
  wrong: number
  /** right / (right + wrong) */
  precision: number
  /** right / wanted */
  recall: number
}

/** All mails of `test/fixtures/finder`. */
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

/** Compares what is found of one kind with what was to be found. */
export function measure(cases: readonly Case[], kind: keyof Found): Figures & { failures: string[] } {
  const results = cases.map((mail) => ({ mail, found: findCodeAndLink(mail)[kind], wanted: mail.expect[kind] }))
  const right = results.filter(({ found, wanted }) => wanted !== null && found === wanted).length
  const missed = results.filter(({ found, wanted }) => wanted !== null && found === null).length
  const wrong = results.filter(({ found, wanted }) => found !== null && found !== wanted).length
  const wanted = results.filter((result) => result.wanted !== null).length
  const failures = results
    .filter((result) => result.found !== result.wanted)
    .map(
      ({ mail, found, wanted: expected }) =>
        `${mail.language}: ${mail.name}: ${found ?? 'nothing'}, not ${expected ?? 'nothing'}`,
    )
  return {
    wanted,
    right,
    missed,
    wrong,
    precision: right / Math.max(1, right + wrong),
    recall: right / Math.max(1, wanted),
    failures,
  }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

if (import.meta.main) {
  const cases = corpus()
  const nothing = cases.filter(({ expect }) => expect.code === null && expect.link === null).length
  const languages = new Set(cases.map(({ language }) => language)).size
  console.log(`${cases.length} mails in ${languages} languages, ${nothing} of them with nothing to find`)
  for (const kind of ['code', 'link'] as const) {
    const { failures, ...figures } = measure(cases, kind)
    console.log(
      `${kind}: precision ${percent(figures.precision)}, recall ${percent(figures.recall)} (${figures.right} of ${figures.wanted} right, ${figures.missed} missed, ${figures.wrong} wrong)`,
    )
    for (const failure of failures) console.log(`  ${failure}`)
    if (figures.precision < 1 || figures.recall < 0.97) process.exitCode = 1
  }
}
