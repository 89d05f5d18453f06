import { expect, it } from 'vitest'
import { checkDigits, checkNumbers, numbersOf } from './numbers.ts'

it('recognizes numbers with all digits and separators', () => {
  expect(numbersOf('24, ۲۴, ২৪, ၂၄')).toEqual([24, 24, 24, 24])
  expect(numbersOf('1,000 1.000 1 000 1\u202f000 ۱٬۰۰۰')).toEqual([1000, 1000, 1000, 1000, 1000])
  expect(numbersOf('3.1, 3 and 10')).toEqual([3, 10])
  expect(numbersOf('24時間、99%')).toEqual([24, 99])
})

it('finds numbers that are missing or wrong', () => {
  expect(checkNumbers('24 Stunden', 'for 24 hours')).toEqual([])
  expect(checkNumbers('42 Stunden', 'for 24 hours')).toEqual([
    'lacks the number 24: "42 Stunden"',
    'has the number 42, which the source does not have: "42 Stunden"',
  ])
})

it('accepts digits instead of words, and numbers of the country', () => {
  expect(checkNumbers('30 Tage', 'thirty days')).toEqual([])
  expect(checkNumbers('2026年11月21日', 'November 21, 2026')).toEqual([])
  expect(checkNumbers('十分钟邮箱', '10 Minute Mail')).toEqual([])
  expect(checkNumbers('1つの', 'a')).toEqual([])
  expect(checkNumbers('5つの', 'a')).toHaveLength(1)
  expect(checkNumbers('96110', '')).toHaveLength(1)
  expect(checkNumbers('96110', '', [96110])).toEqual([])
})

it('requires the digits of the language in prose', () => {
  expect(checkDigits('24 ساعت', '۰')).toHaveLength(1)
  expect(checkDigits('۲۴ ساعت، RFC 9457، SHA-256', '۰')).toEqual([])
  expect(checkDigits('٢٤ ساعة', '0')).toHaveLength(1)
  expect(checkDigits('२४ घंटे', '0')).toHaveLength(1)
  expect(checkDigits('24 घंटे', '0')).toEqual([])
})
