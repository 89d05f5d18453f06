import { expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { PatternError, textPattern } from './text-pattern.ts'

test.each([
  ['CODE', 'Your code', true],
  ['a.c', 'abc', false],
  ['/a.c/', 'abc', true],
  ['/A.C/', 'abc', false],
  ['/A.C/i', 'abc', true],
  ['/^b/', 'a\nb', false],
  ['/^b/m', 'a\nb', true],
  ['/a.b/s', 'a\nb', true],
  // Not between slashes, or with other flags: plain text.
  ['/path', 'https://example.org/path/', true],
  ['//', 'a//b', true],
  ['/a/g', 'abc', false],
  ['/a/g', 'x/a/g', true],
  // Letters with another form at the end of a word, with several forms, and of several characters.
  ['ΛΟΓΑΡΙΑΣ', 'ΛΟΓΑΡΙΑΣΜΟΣ', true],
  ['λογαριασμος', 'ΛΟΓΑΡΙΑΣΜΟΣ', true],
  ['istanbul', 'İSTANBUL', true],
  ['İstanbul', 'ISTANBUL', true],
  ['strasse', 'Straße', true],
  ['Caf\u00e9', 'CAFE\u0301', true],
  ['cafe', 'Caf\u00e9', false],
  ['ταΐζω', 'ΤΑΪ́ΖΩ', true],
  ['ταΐζω'.toUpperCase(), 'ταΐζω', true],
  // A backtracking engine would not return.
  ['/(x+x+)+y/', 'x'.repeat(5000), false],
])('%s in %j: %s', (wanted, text, expected) => expect(textPattern(wanted)(text)).toBe(expected))

test('folds a text of nothing but marks in linear time', () => {
  const text = `a${'\u0301\u0316'.repeat(100_000)}`
  expect(cpuTime(() => textPattern('b')(text))).toBeLessThan(1000)
})

test.each(['/(/', '/a{1001}/', '/(?=a)/', '/\\1/'])('refuses %s in one line', (wanted) => {
  expect(() => textPattern(wanted)).toThrow(PatternError)
  expect(() => textPattern(wanted)).toThrow(/^not a valid regular expression: .+$/)
})

test('refuses an expression that would take long', () => {
  expect(() => textPattern(`/${'(?:.{99})'.repeat(3)}/`)).toThrow('this regular expression is too large')
})
