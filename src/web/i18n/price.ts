import type { MoneyJson } from '#contract/orders.ts'
import { leftToRight } from './isolate.ts'

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** A price given in the smallest unit of its currency as a decimal number: 900 to `9.00`. */
export const amountOf = (price: number, currency: string): string => {
  const digits = digitsOf(currency)
  return (price / 10 ** digits).toFixed(digits)
}

/**
 * Formats prices given in the smallest unit of their currency, such as cents. Directional isolates keep a price
 * together in any text.
 */
export function priceFormat(locale: string, currency: string): (price: number) => string {
  const style = { style: 'currency', currency } as const
  const digits = digitsOf(currency)
  const format = new Intl.NumberFormat(locale, { ...style, trailingZeroDisplay: 'stripIfInteger' })
  return (price) => leftToRight(format.format(price / 10 ** digits))
}

export const moneyText = ({ amount, currency }: MoneyJson, locale: string): string =>
  priceFormat(locale, currency)(amount)
