import { expect, test } from 'vitest'
import { loadConfig, settings } from '#config/load.ts'
import { figuresOf } from './figures.ts'

const figures = (env: Record<string, string>, locale = 'de-DE') => {
  const found = figuresOf(loadConfig(env), () => 'https://mayfly.example')(locale)
  // Without the isolates around prices and the special spaces of the language.
  const plain = (value: string | number | null) =>
    typeof value === 'string' ? value.replaceAll(/[\u2066\u2069]/g, '').replaceAll(/\s/g, ' ') : value
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, plain(value)]))
}

test('has the defaults', () =>
  expect(figures({}, 'en-US')).toEqual({
    addressHours: 24,
    shortMinutes: 10,
    quarantineDays: 30,
    messageHours: 24,
    freeMessageSize: '10 MB',
    freeStorage: '40 MB',
    loginMin: 3,
    loginMax: 64,
    requests: 8,
    createSeconds: 8,
    createBurst: 5,
    streams: 20,
    rateLimits: 'local',
    waitSeconds: 55,
    forwardDays: 7,
    freeDestinations: 1,
    forwardLogDays: 7,
    addresses: 10,
    storage: '1 GB',
    messageSize: '25 MB',
    days: 30,
    ownDomains: 3,
    destinations: 3,
    keyRequests: 50,
    keyStreams: 200,
    keyAddresses: 1000,
    keys: 5,
    webhooks: 5,
    monthPrice: '$9',
    yearPrice: '$86',
    cryptoYearPrice: '$86',
    saving: '20%',
    cryptoYears: 3,
    noticeDays: 14,
    graceDays: 7,
    sessionDays: 90,
    orderDays: 30,
    operatorDays: 90,
    webhookSeconds: 10,
    webhookOffDays: 3,
    domainFailingDays: 7,
    earlierDays: 30,
    extraDomains: 'both',
    siteUrl: 'https://mayfly.example',
    domain: 'mayfly.test',
  }))

test('has sizes and prices in the format of the language, and null for missing features', () =>
  expect(
    figures({
      MAYFLY_PREMIUM_STORAGE_BYTES: '1536MB',
      MAYFLY_PREMIUM_OWN_DOMAINS_MAX: '0',
      MAYFLY_PREMIUM_KEYS_MAX: '0',
      MAYFLY_PREMIUM_WEBHOOKS_MAX: '0',
      MAYFLY_PREMIUM_CURRENCY: 'EUR',
      MAYFLY_PREMIUM_MONTH_CENTS: '450',
      MAYFLY_PREMIUM_YEAR_CENTS: '5400',
    }),
  ).toMatchObject({
    storage: '1,5 GB',
    ownDomains: null,
    keys: null,
    keyAddresses: null,
    webhooks: null,
    monthPrice: '4,50 €',
    yearPrice: '54 €',
    saving: null,
  }))

test('has no 0 with the smallest value of each setting, because no text says what happens for 0 days', () => {
  const smallest = settings.flatMap(({ key, kind: { expects } }) => {
    const [, min] = /^a whole number from (\d+)/.exec(expects) ?? []
    return min === undefined ? [] : [[`MAYFLY_${key}`, min]]
  })
  const found = Object.entries(figures(Object.fromEntries(smallest)))
  expect(found.filter(([, value]) => value === 0)).toEqual([])
})

test.each([
  ['both', { MAYFLY_PREMIUM_DOMAINS: 'vip.example' }],
  ['premium', { MAYFLY_PREMIUM_DOMAINS: 'vip.example', MAYFLY_PREMIUM_OWN_DOMAINS_MAX: '0' }],
  ['own', { MAYFLY_PREMIUM_OWN_DOMAINS_MAX: '1' }],
  ['none', { MAYFLY_PREMIUM_OWN_DOMAINS_MAX: '0' }],
])('says which domains Premium adds: %s', (extraDomains, env: Record<string, string>) =>
  expect(figures({ MAYFLY_DOMAINS: 'mail.example', ...env })).toMatchObject({ extraDomains }),
)

test.each([
  [{}, 'local'],
  [{ MAYFLY_HOST: '0.0.0.0' }, 'all'],
  [{ MAYFLY_PUBLIC_URL: 'http://localhost:3000' }, 'local'],
  [{ MAYFLY_PUBLIC_URL: 'https://mayfly.example' }, 'all'],
  [{ MAYFLY_HOST: '192.0.2.1' }, 'all'],
  [{ MAYFLY_API_REQUESTS_PER_SECOND: '8' }, 'all'],
  [{ MAYFLY_ADDRESS_CREATE_BURST: '5' }, 'all'],
  [{ MAYFLY_STREAMS_PER_IP_MAX: '20' }, 'all'],
  [{ MAYFLY_ORDER_BURST: '5' }, 'local'],
])('with %j the rate limits apply to: %s', (env, clients) => expect(figures(env).rateLimits).toBe(clients))
