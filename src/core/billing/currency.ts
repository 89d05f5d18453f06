import type { Money } from './plan.ts'

/*
 * Amounts are counted as Stripe counts them, so that a price is one number everywhere
 * (https://docs.stripe.com/currencies): in hundredths, if no list below says otherwise. `Intl` can't tell: its digits are
 * those of everyday prices, such as none for HUF, and they change with the version.
 */

/** Currencies that are counted in whole units. */
export const IN_UNITS: readonly string[] = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')

/** Currencies that are counted in thousandths. Cards can't be charged the last digit, which is 0. */
export const IN_THOUSANDTHS: readonly string[] = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

/** Currencies that are counted in hundredths, but have no coin below one. Stripe charges no fractions of them. */
export const WITHOUT_FRACTIONS: readonly string[] = 'ISK UGX'.split(' ')

/** Decimal digits of the amounts in a currency. */
export function digitsOf(currency: string): number {
  if (IN_UNITS.includes(currency)) return 0
  return IN_THOUSANDTHS.includes(currency) ? 3 : 2
}

/** Amounts in the currency that can be charged are multiples of this. */
export function stepOf(currency: string): number {
  if (WITHOUT_FRACTIONS.includes(currency)) return 100
  return IN_THOUSANDTHS.includes(currency) ? 10 : 1
}

/** Formats an amount as a decimal: 8600 cents are `86.00`. */
export function toDecimal({ amount, currency }: Money): string {
  const digits = digitsOf(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

/** Converts a decimal in the main unit of a currency to an amount, rounded. */
export const fromDecimal = (decimal: number, currency: string): Money => ({
  amount: Math.round(decimal * 10 ** digitsOf(currency)),
  currency,
})
