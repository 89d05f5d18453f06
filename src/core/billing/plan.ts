/** The plans: a month or a year by card, or years in crypto. */
export const PLANS = ['month', 'year', 'crypto'] as const
export type Plan = (typeof PLANS)[number]

/** An amount of money, in cents if `currency.ts` says nothing else. */
export interface Money {
  amount: number
  currency: string
}
