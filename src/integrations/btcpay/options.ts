export interface BtcpayOptions {
  /** Where BTCPay Server is, with its path. */
  url: string
  storeId: string
  apiKey: string
  webhookSecret: string
  /** How long an invoice may be paid. */
  expirationMinutes: number
  /** With how many confirmations a payment is settled: 0, 1, 2, 6. */
  speedPolicy: 'HighSpeed' | 'MediumSpeed' | 'LowMediumSpeed' | 'LowSpeed'
  /** How old a webhook may be, in milliseconds. */
  tolerance: number
  /** For one call, in milliseconds. */
  timeout: number
}
