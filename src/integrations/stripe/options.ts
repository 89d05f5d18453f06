export interface StripeOptions {
  secretKey: string
  webhookSecret: string
  /** Look-up keys of the prices. */
  lookupKeys: { month: string; year: string }
  /** Whether Stripe calculates the tax, added or included as each price says. */
  automaticTax: boolean
  apiUrl: string
  /** The maximum age of a payment event, in milliseconds. */
  tolerance: number
  /** Timeout of one call, in milliseconds. */
  timeout: number
}
