/** The plans: a month or a year by card, or years in crypto. */
export const PLANS = ['month', 'year', 'crypto'] as const
export type Plan = (typeof PLANS)[number]

/** The payment providers. `operator` marks grants that the operator makes by hand; `sandbox` moves no money. */
export const PROVIDERS = ['stripe', 'btcpay', 'sandbox', 'operator'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** An amount of money in the smallest unit of its currency (ISO 4217), such as cents. */
export interface Money {
  amount: number
  currency: string
}
