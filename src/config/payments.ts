import { bytes, choice, days, integer, text, url } from './kinds.ts'
import { setting } from './setting.ts'

const KEY = text('a key without spaces', /^\S+$/)

/** Payment providers and orders. */
export const payments = {
  stripeSecretKey: setting('STRIPE_SECRET_KEY', KEY, undefined, 'Secret key of Stripe; unset: no cards', {
    secret: true,
  }),
  stripeWebhookSecret: setting(
    'STRIPE_WEBHOOK_SECRET',
    KEY,
    undefined,
    'Signing secret of the webhook `/webhooks/stripe`',
    { secret: true },
  ),
  stripeMonthLookupKey: setting(
    'STRIPE_MONTH_LOOKUP_KEY',
    KEY,
    'mayfly_premium_month',
    'Look-up key of the price of a month at Stripe',
  ),
  stripeYearLookupKey: setting(
    'STRIPE_YEAR_LOOKUP_KEY',
    KEY,
    'mayfly_premium_year',
    'Look-up key of the price of a year at Stripe',
  ),
  stripeTax: setting('STRIPE_TAX', choice('off', 'automatic'), 'off', 'Whether Stripe reckons taxes'),
  stripeApiUrl: setting('STRIPE_API_URL', url, 'https://api.stripe.com', "Stripe's API"),
  btcpayUrl: setting('BTCPAY_URL', url, undefined, 'BTCPay Server; unset: no crypto'),
  btcpayStoreId: setting('BTCPAY_STORE_ID', KEY, undefined, 'Id of the store there'),
  btcpayApiKey: setting(
    'BTCPAY_API_KEY',
    KEY,
    undefined,
    'API key that may view, create and modify invoices of the store',
    { secret: true },
  ),
  btcpayWebhookSecret: setting('BTCPAY_WEBHOOK_SECRET', KEY, undefined, 'Secret of the webhook `/webhooks/btcpay`', {
    secret: true,
  }),
  btcpayExpirationMinutes: setting(
    'BTCPAY_EXPIRATION_MINUTES',
    integer(1, 1440),
    '60',
    'How long a price in crypto holds',
  ),
  btcpaySpeed: setting(
    'BTCPAY_SPEED',
    choice('HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed'),
    'MediumSpeed',
    'Confirmations that a payment in crypto needs: 0, 1, 2 or 6',
  ),
  sandbox: setting(
    'PAYMENT_SANDBOX',
    choice('auto', 'on', 'on-public-site', 'off'),
    'auto',
    'Built-in checkout that moves no money; `auto`: for visitors on this very machine, where neither Stripe nor BTCPay is set and the site is on localhost; `on`: for every visitor, but not of an https site, where anybody would get Premium for nothing: that takes `on-public-site`',
  ),
  eventsPerSecond: setting(
    'WEBHOOK_CALLS_PER_SECOND',
    integer(1, 1_000_000),
    '50',
    'Calls of payment services a second from one IP address',
  ),
  maxEventBytes: setting('WEBHOOK_MAX_BYTES', bytes(1024, 16 * 1024 * 1024), '512KB', 'The largest webhook'),
  orderSeconds: setting('ORDER_SECONDS', integer(1, 86_400), '30', 'Seconds for each order from one IP address'),
  orderBurst: setting('ORDER_BURST', integer(1, 1_000_000), '5', 'Orders at once from one IP address'),
  keepOrders: setting('ORDER_KEEP_DAYS', days(1, 3650), '30', 'How long an order that was never paid is kept'),
}
