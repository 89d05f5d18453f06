import { limits, settings } from './load.ts'
import { PREFIX } from './table.ts'

/** The settings that a public site needs, all settings, or the limits. */
const TABLES = { essential: settings.filter(({ essential }) => essential), settings, limits }
type Table = keyof typeof TABLES

const rowsOf = (table: Table) =>
  TABLES[table].map(({ key, fallback = 'unset', about }) => ({ name: PREFIX + key, fallback, about }))

/** Returns a table as lines for a terminal. */
export function settingsText(table: Table): string {
  const shown = rowsOf(table)
  const width = Math.max(...shown.map(({ name }) => name.length))
  const plain = (text: string): string => text.replaceAll('`', '')
  return shown
    .map(({ name, fallback, about }) => `  ${name.padEnd(width)}  ${plain(about)} [${fallback || 'empty'}]`)
    .join('\n')
}

/** Returns a table in Markdown. */
export function settingsMarkdown(table: Table): string {
  const lines = rowsOf(table).map(
    ({ name, fallback, about }) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : 'empty'} | ${about} |`,
  )
  return ['| Variable | Default | What it sets |', '| --- | --- | --- |', ...lines]
    .join('\n')
    .replaceAll('`unset`', 'unset')
}
