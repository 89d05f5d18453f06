import { expect, test } from 'vitest'
import { dateFormat } from './dates.ts'
import { languageOf } from './text.tsx'

const AT = new Date('2026-03-01T13:05:00Z')

test.each([
  ['en', { day: 'long' }, 'March 1, 2026'],
  ['de', { day: 'long', time: true }, '1. März 2026 um 13:05'],
  ['zh', { day: 'short' }, '3月1日'],
  ['fa', { time: true }, '۱۳:۰۵'],
  ['ur', { time: true }, '\u20661:05 PM\u2069'],
  ['ur', { day: 'short', time: true }, '1 مارچ، \u20661:05 PM\u2069'],
  ['my', { day: 'long' }, '၀၁/၀၃/၂၀၂၆'],
  ['kh', { day: 'short' }, '01/03'],
  ['ha', { time: true }, '13:05'],
] as const)('%s %j is %s', (code, shape, said) =>
  expect(dateFormat(languageOf(code).format, { ...shape, zone: 'UTC' }).format(AT)).toBe(said),
)
