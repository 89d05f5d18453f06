import { readFileSync, writeFileSync } from 'node:fs'
import { settingsMarkdown } from './print.ts'

/** Puts the table of settings between its markers in README.md; with `--check` only says whether it is up to date. */
const file = new URL('../../README.md', import.meta.url)
const [begin, end] = ['<!-- settings -->', '<!-- /settings -->']
const readme = readFileSync(file, 'utf8')
const [head, rest] = readme.split(begin)
const tail = rest?.split(end)[1]
if (head === undefined || tail === undefined) throw new Error(`README.md has no ${begin} … ${end}`)
const fresh = `${head}${begin}\n\n${settingsMarkdown()}\n\n${end}${tail}`

if (!process.argv.includes('--check')) writeFileSync(file, fresh)
else if (fresh !== readme) {
  process.stderr.write('The settings in README.md are not those of src/config/table.ts: run npm run readme\n')
  process.exitCode = 1
}
