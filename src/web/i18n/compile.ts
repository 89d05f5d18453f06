import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import compile from 'icu-minify/compile'
import { type Part, partOf } from '#locales/parts.ts'

const LOCALES = join(import.meta.dirname, '../../../locales')
/** The fallback language for missing texts. `npm run languages` checks that none is missing. */
const FALLBACK = 'en'

/** The compiled ICU messages of a language. The browser needs no parser. */
export async function compileMessages(code: string): Promise<Record<string, unknown>> {
  const read = async (name: string): Promise<Record<string, string>> =>
    JSON.parse(await readFile(join(LOCALES, `${name}.json`), 'utf8').catch(() => '{}')) as Record<string, string>
  const texts = { ...(await read(FALLBACK)), ...(await read(code)) }
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compile(text)]))
}

/** The compiled messages of one part as a JSON file for the browser. */
export async function messageFile(code: string, part: Part): Promise<string> {
  const messages = Object.entries(await compileMessages(code))
  return JSON.stringify(Object.fromEntries(messages.filter(([key]) => partOf(key) === part)))
}
