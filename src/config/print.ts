import type { Setting } from './setting.ts'
import { PREFIX, table } from './table.ts'

const rows = Object.entries(table).map(([key, { fallback, about }]: [string, Setting]) => ({
  name: PREFIX + key,
  fallback: fallback ?? 'unset',
  about,
}))

/** All settings for a terminal. */
export function settingsText(): string {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const plain = (text: string): string => text.replaceAll('`', '')
  return rows
    .map(({ name, fallback, about }) => `  ${name.padEnd(width)}  ${plain(about)} [${fallback || 'empty'}]`)
    .join('\n')
}

/** All settings as a Markdown table. */
export function settingsMarkdown(): string {
  const lines = rows.map(
    ({ name, fallback, about }) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : 'empty'} | ${about} |`,
  )
  return ['| Variable | Default | What it sets |', '| --- | --- | --- |', ...lines]
    .join('\n')
    .replaceAll('`unset`', 'unset')
}
