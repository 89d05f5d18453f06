import type { Money } from '#core/billing/plan.ts'

/** Decimal digits of a currency (ISO 4217): 2 for USD, 0 for JPY. */
const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Formats an amount as a decimal: 8600 cents are `86.00`. */
export function toDecimal({ amount, currency }: Money): string {
  const digits = digitsOf(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

/** Converts a decimal in the main unit of a currency to its smallest unit, rounded. */
export const fromDecimal = (decimal: number, currency: string): Money => ({
  amount: Math.round(decimal * 10 ** digitsOf(currency)),
  currency,
})
