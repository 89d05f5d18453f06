export interface BtcpayOptions {
  /** The URL of BTCPay Server, with its path. */
  url: string
  storeId: string
  apiKey: string
  webhookSecret: string
  /** How long an invoice may be paid. */
  expirationMinutes: number
  /** Confirmations that settle a payment: 0, 1, 2 or 6. */
  speedPolicy: 'HighSpeed' | 'MediumSpeed' | 'LowMediumSpeed' | 'LowSpeed'
  /** The maximum age of a payment event, in milliseconds. */
  tolerance: number
  /** Timeout of one call, in milliseconds. */
  timeout: number
}
