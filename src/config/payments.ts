import { bytes, choice, days, integer, text, url } from './kinds.ts'
import { limit, setting } from './setting.ts'

const KEY = text('a key without spaces', /^\S+$/)

/** Payment providers and orders. */
export const payments = {
  stripeSecretKey: setting('STRIPE_SECRET_KEY', KEY, undefined, 'Secret API key of Stripe; unset: no payment by card', {
    secret: true,
  }),
  stripeWebhookSecret: setting(
    'STRIPE_WEBHOOK_SECRET',
    KEY,
    undefined,
    'Signing secret of the Stripe webhook that calls `/webhooks/stripe`',
    { secret: true },
  ),
  stripeMonthLookupKey: limit(
    'STRIPE_MONTH_LOOKUP_KEY',
    KEY,
    'mayfly_premium_month',
    'Lookup key of the monthly price at Stripe',
  ),
  stripeYearLookupKey: limit(
    'STRIPE_YEAR_LOOKUP_KEY',
    KEY,
    'mayfly_premium_year',
    'Lookup key of the yearly price at Stripe',
  ),
  stripeTax: setting('STRIPE_TAX', choice('off', 'automatic'), 'off', 'Whether Stripe calculates taxes'),
  stripeApiUrl: limit('STRIPE_API_URL', url, 'https://api.stripe.com', 'URL of the Stripe API'),
  btcpayUrl: setting('BTCPAY_URL', url, undefined, 'URL of the BTCPay Server; unset: no payment in crypto'),
  btcpayStoreId: setting('BTCPAY_STORE_ID', KEY, undefined, 'Id of the store at the BTCPay Server'),
  btcpayApiKey: setting(
    'BTCPAY_API_KEY',
    KEY,
    undefined,
    'API key that may view, create and modify invoices of the store',
    { secret: true },
  ),
  btcpayWebhookSecret: setting(
    'BTCPAY_WEBHOOK_SECRET',
    KEY,
    undefined,
    'Secret of the BTCPay webhook that calls `/webhooks/btcpay`',
    {
      secret: true,
    },
  ),
  btcpayExpirationMinutes: limit(
    'BTCPAY_EXPIRATION_MINUTES',
    integer(1, 1440),
    '60',
    'How long a price in crypto is valid',
  ),
  btcpaySpeed: setting(
    'BTCPAY_SPEED',
    choice('HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed'),
    'MediumSpeed',
    'When a payment in crypto is confirmed: `HighSpeed`, `MediumSpeed`, `LowMediumSpeed` or `LowSpeed`, after 0, 1, 2 or 6 confirmations',
  ),
  sandbox: setting(
    'PAYMENT_SANDBOX',
    choice('auto', 'on', 'on-public-site', 'off'),
    'auto',
    'Built-in checkout that moves no money; `auto`: for clients on this machine when the site is on localhost and neither Stripe nor BTCPay is set; `on`: for every visitor, but refused for a public https site, where everyone would get Premium for free; `on-public-site`: for every visitor, also of a public https site',
  ),
  eventsPerSecond: limit(
    'PAYMENT_EVENTS_PER_SECOND',
    integer(1, 1_000_000),
    '50',
    'Payment events per second from one IP address',
  ),
  maxEventBytes: limit('PAYMENT_EVENT_MAX_BYTES', bytes(1024, 16 * 1024 * 1024), '512KB', 'The largest payment event'),
  orderSeconds: limit(
    'ORDER_SECONDS',
    integer(1, 86_400),
    '30',
    'Seconds between two orders from one IP address, on average',
  ),
  orderBurst: limit('ORDER_BURST', integer(1, 1_000_000), '5', 'Orders that one IP address may place in a burst'),
  keepOrders: limit(
    'ORDER_KEEP_DAYS',
    days(1, 3650),
    '30',
    'How long an unpaid order is kept; a year longer if its payment is pending, too low or differs from the order',
  ),
}
