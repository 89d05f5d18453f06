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
  PRIVATE_REQUEST_MAX_BYTES: setting(
    bytes(1024, 16 * 1024 * 1024),
    '1MB',
    'The largest request of a browser that reads mail of a fully private address itself',
  ),
  PREMIUM_GRACE_DAYS: setting(integer(0, 90), '7', 'How long a renewal may fail before the benefits end'),
  PREMIUM_NOTICE_DAYS: setting(
    integer(0, 90),
    '14',
    'How long before its addresses fall back to the free rules a subscriber is told',
  ),
  DOMAIN_CHECK_HOURS: setting(integer(1, 720), '24', "How often the DNS records of subscribers' domains are looked up"),
  DOMAIN_CHECK_SECONDS: setting(
    integer(1, 86_400),
    '5',
    'Seconds for each look-up of own domains that one subscriber asks for',
  ),
  DOMAIN_CHECK_BURST: setting(integer(1, 1_000_000), '5', 'Such look-ups at once'),
  DOMAIN_LOOKUP_SECONDS: setting(integer(1, 60), '10', 'Time for looking up one DNS record of such a domain'),
  DOMAIN_FAILING_DAYS: setting(
    integer(0, 90),
    '7',
    'How long mail for such a domain is still taken when its records are gone',
  ),

  PREMIUM_KEYS_MAX: setting(integer(0, 1000), '5', 'API keys that a subscriber may have'),
  PREMIUM_KEY_REQUESTS_PER_SECOND: setting(
    integer(1, 1_000_000),
    '50',
    'Requests to the API for each API key, and at once',
  ),
  PREMIUM_KEY_ADDRESSES_MAX: setting(
    integer(0, 1_000_000),
    '1000',
    'Addresses that the API keys of a subscriber may have alive at once',
  ),
  PREMIUM_KEY_CACHE_SECONDS: setting(
    integer(0, 3600),
    '1',
    'For how long a node takes an API key without asking again; of a revoked one all nodes hear at once',
  ),
  PREMIUM_WEBHOOKS_MAX: setting(integer(0, 1000), '5', 'Webhooks that a subscriber may have'),
  WEBHOOK_SECONDS: setting(integer(1, 120), '10', "Time for one call to a subscriber's webhook"),
  WEBHOOK_RETRY_HOURS: setting(integer(1, 720), '24', 'How long a call that does not get through is tried again'),
  WEBHOOK_OFF_DAYS: setting(
    integer(1, 365),
    '3',
    'After how long a time of nothing but failures such a webhook is switched off',
  ),
  WEBHOOK_WAITING_MAX: setting(integer(1, 1_000_000), '1000', 'Calls that may wait for one webhook; more are dropped'),
  WEBHOOKS_AT_ONCE_MAX: setting(integer(1, 10_000), '64', 'Calls to webhooks at one time, from one node'),
  WEBHOOKS_PER_HOST_MAX: setting(integer(1, 10_000), '4', 'Such calls to one host at one time'),
  WEBHOOK_TEST_SECONDS: setting(integer(1, 86_400), '5', 'Seconds for each test call that one subscriber asks for'),
  WEBHOOK_TEST_BURST: setting(integer(1, 1_000_000), '5', 'Such test calls at once'),

  STRIPE_SECRET_KEY: setting(KEY, undefined, 'Secret key of Stripe; unset: no cards'),
  STRIPE_WEBHOOK_SECRET: setting(KEY, undefined, 'Signing secret of the webhook `/webhooks/stripe`'),
  STRIPE_MONTH_LOOKUP_KEY: setting(KEY, 'mayfly_premium_month', 'Look-up key of the price of a month at Stripe'),
  STRIPE_YEAR_LOOKUP_KEY: setting(KEY, 'mayfly_premium_year', 'Look-up key of the price of a year at Stripe'),
  STRIPE_TAX: setting(choice('off', 'automatic'), 'off', 'Whether Stripe reckons taxes'),
  STRIPE_API_URL: setting(url, 'https://api.stripe.com', "Stripe's API"),
  BTCPAY_URL: setting(url, undefined, 'BTCPay Server; unset: no crypto'),
  BTCPAY_STORE_ID: setting(KEY, undefined, 'Id of the store there'),
  BTCPAY_API_KEY: setting(KEY, undefined, 'API key that may view, create and modify invoices of the store'),
  BTCPAY_WEBHOOK_SECRET: setting(KEY, undefined, 'Secret of the webhook `/webhooks/btcpay`'),
  BTCPAY_EXPIRATION_MINUTES: setting(integer(1, 1440), '60', 'How long a price in crypto holds'),
  BTCPAY_SPEED: setting(
    choice('HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed'),
    'MediumSpeed',
    'Confirmations that a payment in crypto needs: 0, 1, 2 or 6',
  ),
  PAYMENT_SANDBOX: setting(
    choice('auto', 'on', 'on-public-site', 'off'),
    'auto',
    'Built-in checkout that moves no money; `auto`: for visitors on this very machine, where neither Stripe nor BTCPay is set and the site is on localhost; `on`: for every visitor, but not of an https site, where anybody would get Premium for nothing: that takes `on-public-site`',
  ),
  PAYMENT_SECONDS: setting(integer(1, 120), '20', 'Time for one call to Stripe or BTCPay'),
  WEBHOOK_TOLERANCE_SECONDS: setting(integer(10, 3600), '300', 'How old a signed webhook may be'),
  WEBHOOK_CALLS_PER_SECOND: setting(
    integer(1, 1_000_000),
    '50',
    'Calls of payment services a second from one IP address',
  ),
  WEBHOOK_MAX_BYTES: setting(bytes(1024, 16 * 1024 * 1024), '512KB', 'The largest webhook'),
  RECONCILE_HOURS: setting(integer(1, 720), '24', 'How often all payments are compared with the providers'),
  ORDER_SECONDS: setting(integer(1, 86_400), '30', 'Seconds for each order from one IP address'),
  ORDER_BURST: setting(integer(1, 1_000_000), '5', 'Orders at once from one IP address'),
  ORDER_KEEP_DAYS: setting(integer(1, 3650), '30', 'How long an order that was never paid is kept'),

  SIGN_IN_SECONDS: setting(integer(1, 86_400), '60', 'Seconds for each sign-in link from one IP address'),
  SIGN_IN_BURST: setting(integer(1, 1_000_000), '5', 'Sign-in links at once from one IP address'),
  SIGN_IN_LINK_MINUTES: setting(integer(1, 1440), '15', 'How long a sign-in link works'),
  SIGN_IN_LINKS_MAX: setting(
    integer(1, 1000),
    '3',
    'Sign-in links for one email in that time that one network gets; all together get four times as many',
  ),
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
