import { excerpt } from './finding.ts'

const WORDS: Record<string, number> = {
  twelve: 12,
  thirty: 30,
  fourteen: 14,
  fifteen: 15,
  quarter: 15,
  twenty: 20,
  forty: 40,
  fifty: 50,
  sixty: 60,
  hundred: 100,
  thousand: 1000,
  november: 11,
  december: 12,
}

/** Digits of every script as Latin ones. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0
    let zero = point
    while (/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)) && point - zero < 9) zero--
    return String(point - zero)
  })

/** Whole numbers from eleven in a text, whatever their digits and separators of thousands. */
export function numbersOf(text: string): number[] {
  const joined = latinDigits(text).replaceAll(/(?<=\d)[.,٬’\u00a0\u202f\u2009 ](?=\d{3}(?!\d))/g, '')
  return [...joined.matchAll(/(?<![\d.,٫])\d+(?![\d]|[.,٫]\d)/g)]
    .map(([digits]) => Number(digits))
    .filter((number) => number > 10)
}

/** Numbers of the source that the text has not, and numbers that the source has neither in digits nor in words. */
export function checkNumbers(text: string, source: string, more: readonly number[] = []): string[] {
  const [own, wanted] = [text, source].map((each) => new Set(numbersOf(each)))
  const known = new Set([...(wanted ?? []), ...wordsOf(source), ...more])
  return [
    ...[...(wanted ?? [])].filter((number) => !own?.has(number)).map((number) => `lacks the number ${number}`),
    ...[...(own ?? [])]
      .filter((number) => !known.has(number))
      .map((number) => `has the number ${number}, which the source has not`),
  ]
}

const wordsOf = (text: string): number[] =>
  (text.toLowerCase().match(/[a-z]+/g) ?? []).flatMap((word) => (word in WORDS ? [WORDS[word] ?? 0] : []))

/** Numbers that are names: after a Latin word (`RFC 9457`), before one (`256-bit`), and the states of HTTP answers. */
const NAMED =
  /\p{sc=Latin}[\p{sc=Latin}.]*[\s\u00a0/-]?\d[\d.,]*|\d+\p{sc=Latin}|(?<!\d)(?:200|40[1349]|422|429)(?!\d)/gu

/** Digits of another script than the language writes in prose. */
export function checkDigits(text: string, zero: string): string[] {
  const prose = text.replaceAll(NAMED, '')
  const first = zero.codePointAt(0) ?? 0
  const found = [...prose.matchAll(/\p{Nd}/gu)].find(([digit]) => {
    const distance = (digit.codePointAt(0) ?? 0) - first
    return distance < 0 || distance > 9
  })
  return found ? [`has the digit ${found[0]} of another script than ${zero}: "${excerpt(prose, found.index)}"`] : []
}
