interface ProviderTraits {
  /** Whether the provider sends payment events to `/webhooks/<name>`. */
  sendsEvents: boolean
  /** Whether refunds are read back from the provider. If not, the operator marks them. */
  reportsRefunds: boolean
}

/**
 * The payment providers, in the order of preference. `sandbox` moves no money. `operator` marks grants that the operator
 * makes by hand.
 */
export const PROVIDERS = {
  stripe: { sendsEvents: true, reportsRefunds: true },
  btcpay: { sendsEvents: true, reportsRefunds: false },
  sandbox: { sendsEvents: false, reportsRefunds: false },
  operator: { sendsEvents: false, reportsRefunds: false },
} as const satisfies Record<string, ProviderTraits>
export type ProviderName = keyof typeof PROVIDERS
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[]
