import { readFileSync, writeFileSync } from 'node:fs'
import { settingsMarkdown } from './print.ts'

// Writes the tables of settings and limits between their markers: the settings that a public site needs into README.md,
// all settings and all limits into files of docs/operating. With `--check` it writes nothing and fails if a table is out
// of date.

const [begin, end] = ['<!-- settings -->', '<!-- /settings -->']
for (const [path, table] of [
  ['README.md', 'essential'],
  ['docs/operating/settings.md', 'settings'],
  ['docs/operating/limits.md', 'limits'],
] as const) {
  const file = new URL(`../../${path}`, import.meta.url)
  const text = readFileSync(file, 'utf8')
  const [head, rest] = text.split(begin)
  const tail = rest?.split(end)[1]
  if (head === undefined || tail === undefined) throw new Error(`${path} has no ${begin} … ${end}`)
  const fresh = `${head}${begin}\n\n${settingsMarkdown(table)}\n\n${end}${tail}`
  if (!process.argv.includes('--check')) writeFileSync(file, fresh)
  else if (fresh !== text) {
    process.stderr.write(`The table in ${path} is out of date: run npm run readme\n`)
    process.exitCode = 1
  }
}
