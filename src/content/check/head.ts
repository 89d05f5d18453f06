import { keywordsOf, widthOf } from './passage.ts'

type Fields = Record<string, string>

/** The length in columns that search engines show. A longer text is cut off, a much shorter one says too little. */
const WIDTHS: Record<string, [least: number, most: number]> = {
  title: [2, 70],
  description: [50, 180],
}

/**
 * Checks the fields of the front matter: the same names and date as the source, and lengths that search engines show in
 * full.
 */
export function checkHead(fields: Fields, source: Fields): string[] {
  const names = Object.keys(source)
  const keywords = keywordsOf(fields.keywords ?? '')
  return [
    ...names.filter((name) => !fields[name]).map((name) => `lacks the field ${name}`),
    ...Object.keys(fields)
      .filter((name) => !names.includes(name))
      .map((name) => `has the field ${name}, which the source does not have`),
    ...['date', 'updated']
      .filter((name) => fields[name] !== undefined && fields[name] !== source[name])
      .map((name) => `has the date ${fields[name]}, the source ${source[name]}`),
    ...Object.entries(WIDTHS).flatMap(([name, [least, most]]) => {
      const width = widthOf(fields[name] ?? '')
      return width < least || width > most ? [`${name} is ${width} columns long, not ${least} to ${most}`] : []
    }),
    ...(keywords.length < 3 ? [`has fewer than three keywords separated by commas: ${fields.keywords}`] : []),
    ...(new Set(keywords).size < keywords.length ? ['has a duplicate keyword'] : []),
  ]
}
