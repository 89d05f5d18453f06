import { expect, test } from 'vitest'
import { toDecimal } from '#core/billing/currency.ts'
import { moneyText } from './price.ts'

const plain = (text: string): string => text.replaceAll(/[\u2066\u2069]/g, '').replaceAll(/\s/g, ' ')

test.each([
  ['HUF', 349_000, 'HUF 3,490'],
  ['HUF', 349_050, 'HUF 3,490.50'],
  ['RSD', 349_000, 'RSD 3,490'],
  ['ISK', 349_000, 'ISK 3,490'],
  ['UGX', 349_000, 'UGX 3,490'],
  ['MGA', 3490, 'MGA 3,490'],
  ['JPY', 3490, '¥3,490'],
  ['KWD', 3490, 'KWD 3.490'],
  ['USD', 349_000, '$3,490'],
])('%s %i is shown as %s', (currency, amount, shown) =>
  expect(plain(moneyText({ amount, currency }, 'en-US'))).toBe(shown),
)

test('shows the amount that providers and structured data get, in every currency', () => {
  for (const currency of Intl.supportedValuesOf('currency')) {
    for (const amount of [1, 99, 900, 123_456_789]) {
      const [shown = ''] = /\d[\d,.]*/.exec(moneyText({ amount, currency }, 'en-US')) ?? []
      expect([currency, amount, Number(shown.replaceAll(',', ''))]).toEqual([
        currency,
        amount,
        Number(toDecimal({ amount, currency })),
      ])
    }
  }
})
