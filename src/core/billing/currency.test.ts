import { expect, test } from 'vitest'
import { fromDecimal, stepOf, toDecimal } from './currency.ts'

type Case = [currency: string, amount: number, decimal: string, step: number]

test.each<Case>([
  ['USD', 349_050, '3490.50', 1],
  // These have no digits in Intl.
  ...['HUF', 'IDR', 'COP', 'PKR', 'RSD', 'TWD', 'LBP'].map((code): Case => [code, 349_050, '3490.50', 1]),
  ['ISK', 349_000, '3490.00', 100],
  ['UGX', 349_000, '3490.00', 100],
  ['JPY', 349_000, '349000', 1],
  // It has two digits in ISO 4217, and none at Stripe.
  ['MGA', 349_000, '349000', 1],
  ['KWD', 349_050, '349.050', 10],
  ['IQD', 349_050, '349.050', 10],
])('%s: %i is %s, and a multiple of %i', (currency, amount, decimal, step) => {
  expect(toDecimal({ amount, currency })).toBe(decimal)
  expect(fromDecimal(Number(decimal), currency)).toEqual({ amount, currency })
  expect(stepOf(currency)).toBe(step)
})
