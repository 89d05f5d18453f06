import { excerpt, type Finding } from './finding.ts'
import type { Passage } from './passage.ts'
import type { Profile } from './profiles.ts'

const MARKS = /[«»„“”‚‘‹›「」『』《》〈〉"]/g

/** Quotation marks that the language doesn't use, and marks without their other. */
export function checkQuotes(text: string, { quotes }: Profile): string[] {
  const foreign = [...new Set(text.match(MARKS))].filter((mark) => !quotes.join('').includes(mark))
  return [
    ...foreign.map(
      (mark) => `has the quotation mark ${mark}, not ${quotes[0]}: "${excerpt(text, text.indexOf(mark))}"`,
    ),
    ...(balanced(text, quotes)
      ? []
      : [`has a quotation mark without its other: "${excerpt(text, text.search(MARKS))}"`]),
  ]
}

/** Whether the marks of each pair alternate. Single ones are left out: the closing one is an apostrophe as well. */
const balanced = (text: string, quotes: readonly string[]): boolean =>
  doubles(quotes).every(([open = '', close = '']) => {
    const marks = Array.from(text).filter((mark) => mark === open || mark === close)
    return marks.length % 2 === 0 && marks.every((mark, i) => mark === (i % 2 === 0 ? open : close))
  })

const doubles = (quotes: readonly string[]): string[] => quotes.filter((pair) => !/[’『《]/.test(pair))

/** Passages with other outer marks than most of the language's have. */
export function checkMixedQuotes(passages: readonly Passage[], { quotes }: Profile): Finding[] {
  const users = doubles(quotes).map((pair) => ({
    pair,
    list: passages.filter(({ text }) => outer(text, quotes) === pair),
  }))
  const most = users.toSorted((a, b) => b.list.length - a.list.length)[0]
  return users
    .filter((each) => each !== most)
    .flatMap(({ pair, list }) =>
      list.map(({ where, text }) => ({
        where,
        what: `has ${pair} where most texts have ${most?.pair}: "${excerpt(text, text.indexOf(pair[0] ?? ''))}"`,
      })),
    )
}

/** The pair that opens first. */
const outer = (text: string, quotes: readonly string[]): string | undefined =>
  doubles(quotes)
    .filter((pair) => text.includes(pair[0] ?? ''))
    .toSorted((a, b) => text.indexOf(a[0] ?? '') - text.indexOf(b[0] ?? ''))[0]
