import type { MoneyJson } from '#contract/orders.ts'

/**
 * Formats prices given in the smallest unit of their currency, such as cents. Directional isolates keep a price
 * together in any text.
 */
export function priceFormat(locale: string, currency: string): (price: number) => string {
  const style = { style: 'currency', currency } as const
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat(locale, style).resolvedOptions()
  const format = new Intl.NumberFormat(locale, { ...style, trailingZeroDisplay: 'stripIfInteger' })
  return (price) => `\u2066${format.format(price / 10 ** digits)}\u2069`
}

export const moneyText = ({ amount, currency }: MoneyJson, locale: string): string =>
  priceFormat(locale, currency)(amount)
