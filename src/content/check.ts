/**
 * Checks the texts of every language, or of the named ones: `npm run languages [-- de fr]`. Prints one line per finding
 * and exits with 1 if there is any.
 */
import { join } from 'node:path'
import { languages } from '#locales/languages.ts'
import { readCorpus } from './check/corpus.ts'
import type { Finding } from './check/finding.ts'
import { checkLanguage } from './check/language.ts'

/** Returns the findings by language code, for all languages or for `codes`. */
export function checkLanguages(root: string, codes: readonly string[] = []): Map<string, Finding[]> {
  const corpus = readCorpus(
    root,
    languages.map(({ code }) => code),
  )
  const chosen = languages.filter(({ code }) => codes.length === 0 || codes.includes(code))
  return new Map(chosen.map((language) => [language.code, checkLanguage(language, corpus)]))
}

if (import.meta.main) {
  const codes = process.argv.slice(2)
  const unknown = codes.filter((code) => !languages.some((language) => language.code === code))
  if (unknown.length > 0) throw new Error(`Unknown languages: ${unknown.join(', ')}`)
  const findings = checkLanguages(join(import.meta.dirname, '../..'), codes)
  for (const [code, list] of findings) for (const { where, what } of list) console.log(`${code} ${where}: ${what}`)
  const total = [...findings.values()].reduce((sum, { length }) => sum + length, 0)
  const clean = [...findings.values()].filter(({ length }) => length === 0).length
  console.log(`${total} findings; ${clean} of ${findings.size} languages without findings`)
  process.exitCode = total > 0 ? 1 : 0
}
