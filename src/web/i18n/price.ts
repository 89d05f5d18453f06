import type { MoneyJson } from '#contract/orders.ts'
import { digitsOf } from '#core/billing/currency.ts'
import { leftToRight } from './isolate.ts'

/** Formats amounts of a currency. Directional isolates keep a price together in any text. */
export function priceFormat(locale: string, currency: string): (amount: number) => string {
  const digits = digitsOf(currency)
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    trailingZeroDisplay: 'stripIfInteger',
  })
  return (amount) => leftToRight(format.format(amount / 10 ** digits))
}

export const moneyText = ({ amount, currency }: MoneyJson, locale: string): string =>
  priceFormat(locale, currency)(amount)
