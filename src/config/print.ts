import { settings } from './load.ts'
import { PREFIX } from './table.ts'

const rows = settings.map(({ key, fallback, about, essential = false }) => ({
  name: PREFIX + key,
  fallback: fallback ?? 'unset',
  about,
  essential,
}))

/** Returns the settings as lines for a terminal: those that a public site needs, or all. */
export function settingsText(which: 'essential' | 'all'): string {
  const shown = rows.filter(({ essential }) => essential || which === 'all')
  const width = Math.max(...shown.map(({ name }) => name.length))
  const plain = (text: string): string => text.replaceAll('`', '')
  return shown
    .map(({ name, fallback, about }) => `  ${name.padEnd(width)}  ${plain(about)} [${fallback || 'empty'}]`)
    .join('\n')
}

/** Returns the settings as a Markdown table. */
export function settingsMarkdown(which: 'essential' | 'all'): string {
  const lines = rows
    .filter(({ essential }) => essential || which === 'all')
    .map(({ name, fallback, about }) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : 'empty'} | ${about} |`)
  return ['| Variable | Default | What it sets |', '| --- | --- | --- |', ...lines]
    .join('\n')
    .replaceAll('`unset`', 'unset')
}
