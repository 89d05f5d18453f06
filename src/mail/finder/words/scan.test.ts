import { describe, expect, test } from 'vitest'
import { beginningsOf } from './beginnings.ts'
import { bitOf, type Meaning, readWords, spansOf, stemAt } from './scan.ts'
import { numberWordsIn } from './words.ts'

const means = (text: string, meaning: Meaning): boolean => (readWords(text).bits & bitOf(meaning)) !== 0

describe('the literal beginnings of a stem', () => {
  test.each([
    ['sign[-\\s]?in', ['signin', 'sign-in', 'sign in'], ''],
    ['hasł[oa]', ['hasło', 'hasła'], ''],
    ['(?:a|b)c', ['ac', 'bc'], ''],
    ['(?:very )?old', ['very old', 'old'], ''],
    ['pin(?!\\p{L})', ['pin'], '(?!\\p{L})'],
    ['show .{0,20}counter', ['show '], '.{0,20}counter'],
  ])('%s', (stem, texts, rest) => expect(beginningsOf(stem)).toEqual(texts.map((text) => ({ text, rest }))))

  test('stand for either apostrophe', () =>
    expect(beginningsOf('don.t').map(({ text }) => text)).toEqual(expect.arrayContaining(["don't", 'don’t'])))
})

describe('stems are found', () => {
  test.each<[string, Meaning]>([
    ['please verify it', 'verify'],
    ['bestätigen sie es', 'verify'],
    ['подтвердите адрес', 'verify'],
    ['请验证您的邮箱', 'verify'],
    ['您的otp是', 'code'],
    ['والرمز', 'code'],
    ['your pin: 1234', 'code'],
  ])('in %s: %s', (text, meaning) => expect(means(text, meaning)).toBe(true))

  test.each<[string, Meaning]>([
    ['overconfirm', 'verify'],
    ['pineapple', 'code'],
    ['hello', 'verify'],
  ])('not in %s: %s', (text, meaning) => expect(means(text, meaning)).toBe(false))
})

test('the longest stem at a place counts', () => {
  expect(stemAt('15 minutes', 3, bitOf('minutes'))).toBeGreaterThan(3)
  expect(stemAt('15 minutes', 0, bitOf('minutes'))).toBe(-1)
})

test('a number that gives access is found with any of its words', () => {
  for (const word of ['access', 'login', 'sign-in', 'security', 'acceso', 'accès', 'accesso', 'acesso'])
    expect([word, numberWordsIn(readWords(`${word} number`))]).toEqual([word, [expect.anything()]])
  for (const word of ['zugangs', 'sicherheits'])
    expect([word, numberWordsIn(readWords(`${word}nummer`))]).toEqual([word, [expect.anything()]])
  expect(numberWordsIn(readWords('order number'))).toEqual([])
})

test('spans of a pattern are the same each time', () => {
  const pattern = /\d+/gu
  const spans = [
    { start: 1, end: 3 },
    { start: 4, end: 5 },
  ]
  expect(spansOf(pattern, 'a12b3')).toEqual(spans)
  expect(spansOf(pattern, 'a12b3')).toEqual(spans)
})
