import { bytes, choice, integer, outboundUrl, text, url } from './kinds.ts'
import { setting } from './setting.ts'

const KEY = text('a key without spaces', /^\S+$/)

/** What Premium costs and gives, who takes the money, and how Mayfly writes to subscribers. */
export const premium = {
  PREMIUM_CURRENCY: setting(
    text('a currency code (ISO 4217)', /^[A-Z]{3}$/),
    'USD',
    'Currency of the prices of Premium',
  ),
  PREMIUM_MONTH_CENTS: setting(integer(1, 100_000_000), '900', 'Price of a month'),
  PREMIUM_YEAR_CENTS: setting(integer(1, 100_000_000), '8600', 'Price of a year'),
  PREMIUM_CRYPTO_YEAR_CENTS: setting(integer(1, 100_000_000), '8600', 'Price of a year, paid in crypto'),
  PREMIUM_CRYPTO_YEARS_MAX: setting(integer(1, 10), '3', 'Years that can be paid in crypto at once'),
  PREMIUM_TAX_BASIS_POINTS: setting(
    integer(0, 10_000),
    '0',
    'Tax on the prices of Premium in hundredths of a per cent, such as 1900; 0: the pages say nothing of it',
  ),
  PREMIUM_TAX: setting(choice('included', 'added'), 'included', 'Whether that tax is in the prices or comes on top'),
  PREMIUM_ADDRESSES: setting(integer(1, 1000), '10', 'Addresses at once with Premium'),
  PREMIUM_STORAGE_BYTES: setting(bytes(1024), '1GB', 'Mail that the addresses of a subscription may hold in all'),
  PREMIUM_MESSAGE_MAX_BYTES: setting(
    bytes(1024, 1024 ** 3),
    '25MB',
    'The largest mail to an address of a subscription',
  ),
  PREMIUM_RETENTION_DAYS: setting(integer(1, 3650), '30', 'How long a message is kept with Premium'),
  PREMIUM_OWN_DOMAINS_MAX: setting(integer(0, 1000), '3', 'Domains of their own that subscribers may bring'),
  PREMIUM_LABEL_MAX_CHARACTERS: setting(
    integer(1, 1000),
    '40',
    'Length of the name that a subscriber gives an address',
  ),
  PREMIUM_GRACE_DAYS: setting(integer(0, 90), '7', 'How long a renewal may fail before the benefits end'),
  PREMIUM_NOTICE_DAYS: setting(
    integer(0, 90),
    '14',
    'How long before its addresses fall back to the free rules a subscriber is told',
  ),
  DOMAIN_CHECK_HOURS: setting(integer(1, 720), '24', "How often the DNS records of subscribers' domains are looked up"),
  DOMAIN_FAILING_DAYS: setting(
    integer(0, 90),
    '7',
    'How long mail for such a domain is still taken when its records are gone',
  ),

  STRIPE_SECRET_KEY: setting(KEY, undefined, 'Secret key of Stripe; unset: no cards'),
  STRIPE_WEBHOOK_SECRET: setting(KEY, undefined, 'Signing secret of the webhook `/webhooks/stripe`'),
  STRIPE_MONTH_LOOKUP_KEY: setting(KEY, 'mayfly_premium_month', 'Look-up key of the price of a month at Stripe'),
  STRIPE_YEAR_LOOKUP_KEY: setting(KEY, 'mayfly_premium_year', 'Look-up key of the price of a year at Stripe'),
  STRIPE_TAX: setting(choice('off', 'automatic'), 'off', 'Whether Stripe reckons taxes'),
  STRIPE_API_URL: setting(url, 'https://api.stripe.com', "Stripe's API"),
  BTCPAY_URL: setting(url, undefined, 'BTCPay Server; unset: no crypto'),
  BTCPAY_STORE_ID: setting(KEY, undefined, 'Id of the store there'),
  BTCPAY_API_KEY: setting(KEY, undefined, 'API key that may view and create invoices of the store'),
  BTCPAY_WEBHOOK_SECRET: setting(KEY, undefined, 'Secret of the webhook `/webhooks/btcpay`'),
  PAYMENT_SANDBOX: setting(
    choice('auto', 'on', 'off'),
    'auto',
    'Built-in checkout that moves no money; `auto`: where neither Stripe nor BTCPay is set and the site is on localhost',
  ),
  PAYMENT_SECONDS: setting(integer(1, 120), '20', 'Time for one call to Stripe or BTCPay'),
  WEBHOOK_TOLERANCE_SECONDS: setting(integer(10, 3600), '300', 'How old a signed webhook may be'),
  WEBHOOK_MAX_BYTES: setting(bytes(1024, 16 * 1024 * 1024), '512KB', 'The largest webhook'),
  RECONCILE_HOURS: setting(integer(1, 720), '24', 'How often all payments are compared with the providers'),
  ORDER_SECONDS: setting(integer(1, 86_400), '30', 'Seconds for each order from one IP address'),
  ORDER_BURST: setting(integer(1, 1_000_000), '5', 'Orders at once from one IP address'),
  ORDER_KEEP_DAYS: setting(integer(1, 3650), '30', 'How long an order that was never paid is kept'),

  SIGN_IN_SECONDS: setting(integer(1, 86_400), '60', 'Seconds for each sign-in link from one IP address'),
  SIGN_IN_BURST: setting(integer(1, 1_000_000), '5', 'Sign-in links at once from one IP address'),
  SIGN_IN_LINK_MINUTES: setting(integer(1, 1440), '15', 'How long a sign-in link works'),
  SIGN_IN_LINKS_MAX: setting(integer(1, 1000), '3', 'Sign-in links for one email in that time'),
  SESSION_DAYS: setting(integer(1, 3650), '90', 'How long a signed-in browser may be away'),

  OUTBOUND_URL: setting(
    outboundUrl,
    undefined,
    'Relay for mails that Mayfly itself writes, such as smtps://user:password@host; unset: they go to `outbox` in the data directory',
  ),
  OUTBOUND_FROM: setting(
    text('an email address', /^[^\s@<>]+@[^\s@<>]+$/),
    undefined,
    'Sender of those mails; unset: noreply@ the first mail domain',
  ),
  OUTBOUND_SECONDS: setting(integer(1, 600), '60', 'Time for handing one mail to the relay'),
  OUTBOUND_RETRY_HOURS: setting(integer(1, 720), '24', 'How long a mail that the relay does not take is tried again'),
} as const
