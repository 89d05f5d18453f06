import { IN_THOUSANDTHS, IN_UNITS, WITHOUT_FRACTIONS } from '#core/billing/currency.ts'
import { bytes, choice, currency, days, integer, seconds } from './kinds.ts'
import { limit, setting } from './setting.ts'

/** The upper limit allows prices in currencies such as IDR and LBP, where a month costs millions of hundredths. */
const price = integer(1, 1_000_000_000)

/** Prices and benefits of Premium. */
export const premium = {
  currency: setting('PREMIUM_CURRENCY', currency, 'USD', 'Currency of the Premium prices (ISO 4217)'),
  monthPrice: setting(
    'PREMIUM_MONTH_CENTS',
    price,
    '900',
    `Price of a month, counted as at Stripe: in hundredths of the currency (cents). In whole units if it is one of ${IN_UNITS.join(', ')}; in thousandths, with a 0 at the end, if it is one of ${IN_THOUSANDTHS.join(', ')}. Prices in ${WITHOUT_FRACTIONS.join(' and ')} end with 00`,
  ),
  yearPrice: setting('PREMIUM_YEAR_CENTS', price, '8600', 'Price of a year, counted in the same way'),
  cryptoYearPrice: setting(
    'PREMIUM_CRYPTO_YEAR_CENTS',
    price,
    '8600',
    'Price of a year paid in crypto, counted in the same way',
  ),
  maxCryptoYears: setting('PREMIUM_CRYPTO_YEARS_MAX', integer(1, 10), '3', 'The most years in one payment in crypto'),
  taxBasisPoints: setting(
    'PREMIUM_TAX_BASIS_POINTS',
    integer(0, 10_000),
    '0',
    'Tax on the Premium prices in hundredths of a per cent, such as 1900 for 19 %; 0: the pages do not mention tax',
  ),
  tax: setting(
    'PREMIUM_TAX',
    choice('included', 'added'),
    'included',
    'Whether the prices include that tax, or whether it is added to them',
  ),
  addresses: setting('PREMIUM_ADDRESSES', integer(1, 1000), '10', 'Addresses that a subscriber may keep'),
  storageBytes: setting(
    'PREMIUM_STORAGE_BYTES',
    bytes(1024),
    '1GB',
    'Bytes of mail that all addresses of a subscription together may hold',
  ),
  maxMessageBytes: setting(
    'PREMIUM_MESSAGE_MAX_BYTES',
    bytes(1024, 1024 ** 3),
    '25MB',
    'The largest message to an address of a subscription',
  ),
  retention: setting(
    'PREMIUM_RETENTION_DAYS',
    days(1, 3650),
    '30',
    'How long a message to an address of a subscription is kept',
  ),
  ownDomains: setting('PREMIUM_OWN_DOMAINS_MAX', integer(0, 1000), '3', 'Own domains that a subscriber may have'),
  grace: limit('PREMIUM_GRACE_DAYS', days(1, 90), '7', 'How long renewals may fail before the benefits end'),
  notice: setting(
    'PREMIUM_NOTICE_DAYS',
    days(1, 90),
    '14',
    'The minimum time between the notice to a subscriber and the time when the free rules apply to the addresses',
  ),
  apiKeys: limit('PREMIUM_KEYS_MAX', integer(0, 1000), '5', 'API keys that a subscriber may have'),
  keyRequestsPerSecond: setting(
    'PREMIUM_KEY_REQUESTS_PER_SECOND',
    integer(1, 1_000_000),
    '50',
    'API requests per second for each API key, and the burst',
  ),
  keyAddresses: setting(
    'PREMIUM_KEY_ADDRESSES_MAX',
    integer(0, 1_000_000),
    '1000',
    'Live addresses that the API keys of a subscriber may have',
  ),
  keyCacheTime: limit(
    'PREMIUM_KEY_CACHE_SECONDS',
    seconds(0, 3600),
    '1',
    'How long a node caches an API key; a revocation is announced to all nodes immediately',
  ),
  webhooks: limit('PREMIUM_WEBHOOKS_MAX', integer(0, 1000), '5', 'Webhooks that a subscriber may have'),
  destinations: setting(
    'PREMIUM_FORWARD_DESTINATIONS',
    integer(1, 100),
    '3',
    'Forwarding destinations of an address of a subscription',
  ),
}
