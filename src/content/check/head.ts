import { keywordsOf } from './passage.ts'
import { widthOf } from './width.ts'

type Fields = Record<string, string>

/** What search engines show of it, in columns: more is cut off, much less says nothing. */
const WIDTHS: Record<string, [least: number, most: number]> = {
  title: [2, 70],
  description: [50, 180],
}

/** The fields above a text: all of the source and no others, the same date, lengths that are shown in full. */
export function checkHead(fields: Fields, source: Fields): string[] {
  const names = Object.keys(source)
  const keywords = keywordsOf(fields.keywords ?? '')
  return [
    ...names.filter((name) => !fields[name]).map((name) => `lacks ${name} in its head`),
    ...Object.keys(fields)
      .filter((name) => !names.includes(name))
      .map((name) => `has ${name} in its head, which the source has not`),
    ...(fields.date === source.date ? [] : [`has the date ${fields.date}, the source ${source.date}`]),
    ...Object.entries(WIDTHS).flatMap(([name, [least, most]]) => {
      const width = widthOf(fields[name] ?? '')
      return width < least || width > most ? [`${name} is ${width} columns long, not ${least} to ${most}`] : []
    }),
    ...(keywords.length < 3 ? [`has fewer than three keywords separated by commas: ${fields.keywords}`] : []),
    ...(new Set(keywords).size < keywords.length ? ['names a keyword twice'] : []),
  ]
}
