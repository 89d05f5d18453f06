export interface BtcpayOptions {
  /** The URL of BTCPay Server, including its path. */
  url: string
  storeId: string
  apiKey: string
  webhookSecret: string
  /** How long an invoice can be paid, in minutes. */
  expirationMinutes: number
  /** How many confirmations settle a payment: 0, 1, 2, 6. */
  speedPolicy: 'HighSpeed' | 'MediumSpeed' | 'LowMediumSpeed' | 'LowSpeed'
  /** The maximum age of a payment event, in milliseconds. */
  tolerance: number
  /** Timeout of one call, in milliseconds. */
  timeout: number
}
