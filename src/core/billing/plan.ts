/** What can be bought: a month or a year by card, years in crypto. */
export const PLANS = ['month', 'year', 'crypto'] as const
export type Plan = (typeof PLANS)[number]

/** Who takes money: `operator` is what the operator grants by hand, `sandbox` moves none. */
export const PROVIDERS = ['stripe', 'btcpay', 'sandbox', 'operator'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** An amount of money in the smallest unit of its currency (ISO 4217), such as cents. */
export interface Money {
  amount: number
  currency: string
}
