import { expect, test } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { descriptorLimit, shareDescriptors } from './descriptors.ts'

test('the limit of this process is known', () => expect(descriptorLimit()).toBeGreaterThan(100))

test.each([
  // limit, HTTP, SMTP
  [Infinity, 15_000, 1000],
  [16_256, 15_000, 1000],
  [16_255, 14_999, 1000],
  [4096, 2840, 1000],
  [1024, 192, 576],
  [256, 1, 1],
  [0, 1, 1],
])('of %i descriptors, HTTP gets %i and SMTP %i', (limit, http, smtp) => {
  const shares = shareDescriptors(loadConfig({}), limit)
  expect(shares).toMatchObject({ http, smtp })
  expect(shares.warning === undefined).toBe(limit >= 16_256)
})

test('the limit of HTTP is a setting, or follows the streams', () => {
  expect(shareDescriptors(loadConfig({ MAYFLY_HTTP_CONNECTIONS_MAX: '50' }), 1e6).http).toBe(50)
  expect(shareDescriptors(loadConfig({ MAYFLY_STREAMS_MAX: '40000' }), 1e6).http).toBe(60_000)
})
