import { excerpt, type Finding } from './finding.ts'
import type { Passage } from './passage.ts'
import type { Profile } from './profiles.ts'

const MARKS = /[«»„“”‚‘‹›「」『』《》〈〉"]/g

/** Finds quotation marks that the language does not use, and unpaired ones. */
export function checkQuotes(text: string, { quotes }: Profile): string[] {
  const foreign = [...new Set(text.match(MARKS))].filter((mark) => !quotes.join('').includes(mark))
  return [
    ...foreign.map(
      (mark) => `has the quotation mark ${mark}, not ${quotes[0]}: "${excerpt(text, text.indexOf(mark))}"`,
    ),
    ...(balanced(text, quotes) ? [] : [`has an unpaired quotation mark: "${excerpt(text, text.search(MARKS))}"`]),
  ]
}

/**
 * Whether the marks of each pair alternate. Single quotation marks are ignored, because the closing one is also an
 * apostrophe.
 */
const balanced = (text: string, quotes: readonly string[]): boolean =>
  doubles(quotes).every(([open = '', close = '']) => {
    const marks = Array.from(text).filter((mark) => mark === open || mark === close)
    return marks.length % 2 === 0 && marks.every((mark, i) => mark === (i % 2 === 0 ? open : close))
  })

const doubles = (quotes: readonly string[]): string[] => quotes.filter((pair) => !/[’『《]/.test(pair))

/** Finds passages with other outer quotation marks than most passages of the language. */
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

/** Returns the pair that opens first. */
const outer = (text: string, quotes: readonly string[]): string | undefined =>
  doubles(quotes)
    .filter((pair) => text.includes(pair[0] ?? ''))
    .toSorted((a, b) => text.indexOf(a[0] ?? '') - text.indexOf(b[0] ?? ''))[0]
