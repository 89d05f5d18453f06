import { excerpt } from './finding.ts'

/** English words that a translation may write as a number. */
const WORDS = new Map(
  Object.entries({
    four: 4,
    fourth: 4,
    five: 5,
    fifth: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    tenth: 10,
    decade: 10,
    november: 11,
    twelve: 12,
    dozen: 12,
    fourteen: 14,
    fifteen: 15,
    quarter: 15,
    twenty: 20,
    day: 24,
    thirty: 30,
    half: 30,
    forty: 40,
    fifty: 50,
    sixty: 60,
    hundred: 100,
    thousand: 1000,
    thousands: 1000,
    million: 1e6,
    millions: 1e6,
    trillion: 1e12,
  }),
)

/** Numbers up to this are written as words in some languages and as digits in others. */
const SMALL = 3

/** A name with a number that languages may write as a word. */
const NAME = /10 Minute Mail/g

/** Converts digits of all scripts to ASCII digits. */
const latinDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0
    let zero = point
    while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && point - zero < 9) zero--
    return String(point - zero)
  })

/** Returns the whole numbers in a text, with any digits and thousands separators. */
export function numbersOf(text: string): number[] {
  const joined = latinDigits(text).replaceAll(/(?<=\d)[.,٬’\u00a0\u202f\u2009 ](?=\d{3}(?!\d))/g, '')
  return [...joined.matchAll(/(?<![\d.,٫])\d+(?![\d]|[.,٫]\d)/g)].map(([digits]) => Number(digits))
}

/** Finds numbers of the source that the text lacks, and numbers that the source has neither in digits nor in words. */
export function checkNumbers(text: string, source: string, more: readonly number[] = []): string[] {
  const own = new Set(numbersOf(text))
  const expected = new Set(numbersOf(source.replaceAll(NAME, '')))
  const words = (source.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => WORDS.get(word))
  const known = new Set([...numbersOf(source), ...words, ...more])
  return [
    ...[...expected].filter((number) => !own.has(number)).map((number) => `lacks the number ${number}`),
    ...[...own]
      .filter((number) => number > SMALL && !known.has(number))
      .map((number) => `has the number ${number}, which the source does not have`),
  ].map((fault) => `${fault}: "${excerpt(text)}"`)
}

/** Numbers that are part of a name: after a Latin word (`RFC 9457`), before one (`256-bit`), and HTTP status codes. */
const NAMED =
  /\p{sc=Latin}[\p{sc=Latin}.]*[\s\u00a0/-]?\d[\d.,]*|\d+\p{sc=Latin}|(?<!\d)(?:200|40[1349]|422|429)(?!\d)/gu

/** Finds digits of a script that the language does not use in prose. */
export function checkDigits(text: string, zero: string): string[] {
  const prose = text.replaceAll(NAMED, '')
  const first = zero.codePointAt(0) ?? 0
  const found = [...prose.matchAll(/\p{Nd}/gu)].find(([digit]) => {
    const distance = (digit.codePointAt(0) ?? 0) - first
    return distance < 0 || distance > 9
  })
  return found ? [`has the digit ${found[0]} of another script than ${zero}: "${excerpt(prose, found.index)}"`] : []
}
