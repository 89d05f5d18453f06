export interface StripeOptions {
  secretKey: string
  webhookSecret: string
  /** Look-up keys of the prices. */
  lookupKeys: { month: string; year: string }
  /** Whether Stripe reckons the tax, on top of the prices or inside of them as each price says. */
  automaticTax: boolean
  apiUrl: string
  /** How old a webhook may be, in milliseconds. */
  tolerance: number
  /** For one call, in milliseconds. */
  timeout: number
}
