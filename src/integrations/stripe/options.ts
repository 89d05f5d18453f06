export interface StripeOptions {
  secretKey: string
  webhookSecret: string
  /** The look-up keys of the prices. */
  lookupKeys: { month: string; year: string }
  /** Whether Stripe computes the tax. The tax behavior of each price decides whether it is added or included. */
  automaticTax: boolean
  apiUrl: string
  /** The maximum age of a payment event, in milliseconds. */
  tolerance: number
  /** Timeout of one call, in milliseconds. */
  timeout: number
}
