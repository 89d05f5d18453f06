import { bytes, choice, days, integer, seconds, text } from './kinds.ts'
import { setting } from './setting.ts'

/** What Premium costs and what it includes. */
export const premium = {
  currency: setting(
    'PREMIUM_CURRENCY',
    text('a currency code (ISO 4217)', /^[A-Z]{3}$/),
    'USD',
    'Currency of the prices of Premium',
  ),
  monthPrice: setting('PREMIUM_MONTH_CENTS', integer(1, 100_000_000), '900', 'Price of a month'),
  yearPrice: setting('PREMIUM_YEAR_CENTS', integer(1, 100_000_000), '8600', 'Price of a year'),
  cryptoYearPrice: setting(
    'PREMIUM_CRYPTO_YEAR_CENTS',
    integer(1, 100_000_000),
    '8600',
    'Price of a year, paid in crypto',
  ),
  maxCryptoYears: setting('PREMIUM_CRYPTO_YEARS_MAX', integer(1, 10), '3', 'Years that can be paid in crypto at once'),
  taxBasisPoints: setting(
    'PREMIUM_TAX_BASIS_POINTS',
    integer(0, 10_000),
    '0',
    'Tax on the prices of Premium in hundredths of a per cent, such as 1900; 0: the pages say nothing of it',
  ),
  tax: setting(
    'PREMIUM_TAX',
    choice('included', 'added'),
    'included',
    'Whether that tax is in the prices or comes on top',
  ),
  addresses: setting('PREMIUM_ADDRESSES', integer(1, 1000), '10', 'Addresses at once with Premium'),
  storageBytes: setting(
    'PREMIUM_STORAGE_BYTES',
    bytes(1024),
    '1GB',
    'Mail that the addresses of a subscription may hold in all',
  ),
  maxMessageBytes: setting(
    'PREMIUM_MESSAGE_MAX_BYTES',
    bytes(1024, 1024 ** 3),
    '25MB',
    'The largest mail to an address of a subscription',
  ),
  retention: setting('PREMIUM_RETENTION_DAYS', days(1, 3650), '30', 'How long a message is kept with Premium'),
  ownDomains: setting(
    'PREMIUM_OWN_DOMAINS_MAX',
    integer(0, 1000),
    '3',
    'Domains of their own that subscribers may bring',
  ),
  grace: setting('PREMIUM_GRACE_DAYS', days(0, 90), '7', 'How long a renewal may fail before the benefits end'),
  notice: setting(
    'PREMIUM_NOTICE_DAYS',
    days(0, 90),
    '14',
    'How long before its addresses fall back to the free rules a subscriber is told',
  ),
  apiKeys: setting('PREMIUM_KEYS_MAX', integer(0, 1000), '5', 'API keys that a subscriber may have'),
  keyRequestsPerSecond: setting(
    'PREMIUM_KEY_REQUESTS_PER_SECOND',
    integer(1, 1_000_000),
    '50',
    'Requests to the API for each API key, and at once',
  ),
  keyAddresses: setting(
    'PREMIUM_KEY_ADDRESSES_MAX',
    integer(0, 1_000_000),
    '1000',
    'Addresses that the API keys of a subscriber may have alive at once',
  ),
  keyCacheTime: setting(
    'PREMIUM_KEY_CACHE_SECONDS',
    seconds(0, 3600),
    '1',
    'For how long a node takes an API key without asking again; of a revoked one all nodes hear at once',
  ),
  webhooks: setting('PREMIUM_WEBHOOKS_MAX', integer(0, 1000), '5', 'Webhooks that a subscriber may have'),
  destinations: setting(
    'PREMIUM_FORWARD_DESTINATIONS',
    integer(1, 100),
    '3',
    'Destinations of an address of a subscription',
  ),
}
