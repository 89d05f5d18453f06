import { expect, test } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { premiumFigures } from './figures.ts'

test('formats what Premium includes, with null for what there is none of', () => {
  const config = loadConfig({
    MAYFLY_PREMIUM_ADDRESSES: '1000',
    MAYFLY_PREMIUM_STORAGE_BYTES: '3GB',
    MAYFLY_PREMIUM_MESSAGE_MAX_BYTES: '40MB',
    MAYFLY_PREMIUM_RETENTION_DAYS: '45',
    MAYFLY_PREMIUM_OWN_DOMAINS_MAX: '0',
    MAYFLY_PREMIUM_KEYS_MAX: '0',
  })
  const figures = Object.entries(premiumFigures(config)('de-DE'))
  expect(Object.fromEntries(figures.map(([name, text]) => [name, text?.replace(/\s/, ' ') ?? null]))).toEqual({
    addresses: '1.000',
    storage: '3 GB',
    messageSize: '40 MB',
    days: '45',
    ownDomains: null,
    destinations: '3',
    keyRequests: '50',
    keyAddresses: null,
  })
})
