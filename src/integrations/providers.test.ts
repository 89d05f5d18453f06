import { describe, expect, test } from 'vitest'
import { composeProviders } from '#composition/payments.ts'
import { loadConfig } from '#config/load.ts'
import { calendarYears } from './calendar.ts'
import { testPorts } from './testing.ts'

const STRIPE = { MAYFLY_STRIPE_SECRET_KEY: 'sk_test_1', MAYFLY_STRIPE_WEBHOOK_SECRET: 'whsec_1' }
const BTCPAY = {
  MAYFLY_BTCPAY_URL: 'https://btcpay.example',
  MAYFLY_BTCPAY_STORE_ID: 'store',
  MAYFLY_BTCPAY_API_KEY: 'key',
  MAYFLY_BTCPAY_WEBHOOK_SECRET: 'secret',
}
/** Creates the providers for these settings. */
function providersWith(env: Record<string, string>) {
  const { orders, subscriptions, ...ports } = testPorts().ports
  const site = { url: 'http://localhost:3000' }
  return composeProviders(loadConfig(env), {
    key: new Uint8Array(32),
    site,
    store: { orders, subscriptions },
    ...ports,
  })
}

/** Returns the names of the providers that are enabled with these settings. */
async function enabledWith(env: Record<string, string>): Promise<string[]> {
  const { all, sandbox } = await providersWith(env)
  expect(all.find(({ name }) => name === 'sandbox')).toBe(sandbox)
  return all.map(({ name }) => name)
}

describe('the providers', () => {
  test.each([
    [{}, ['sandbox']],
    [STRIPE, ['stripe']],
    [BTCPAY, ['btcpay']],
    [{ ...STRIPE, ...BTCPAY }, ['stripe', 'btcpay']],
    [{ ...STRIPE, MAYFLY_PAYMENT_SANDBOX: 'on' }, ['stripe', 'sandbox']],
    [{ MAYFLY_PAYMENT_SANDBOX: 'off' }, []],
    [{ MAYFLY_PUBLIC_URL: 'https://mayfly.example' }, []],
    [{ MAYFLY_PUBLIC_URL: 'https://localhost.example' }, []],
    [{ MAYFLY_PUBLIC_URL: 'https://mayfly.example', MAYFLY_PAYMENT_SANDBOX: 'on-public-site' }, ['sandbox']],
    [{ MAYFLY_PUBLIC_URL: 'http://localhost:8080' }, ['sandbox']],
    [{ MAYFLY_PUBLIC_URL: 'http://127.0.0.1:3000' }, ['sandbox']],
    [{ MAYFLY_PUBLIC_URL: 'http://[::1]:3000' }, ['sandbox']],
    // Without a public URL, a site that listens on public addresses must not give Premium away.
    [{ MAYFLY_HOST: '0.0.0.0' }, []],
    [{ MAYFLY_HOST: '::' }, []],
    [{ MAYFLY_HOST: '::1' }, ['sandbox']],
    [{ MAYFLY_HOST: '0.0.0.0', MAYFLY_PUBLIC_URL: 'http://localhost:3000' }, ['sandbox']],
  ])('are enabled with %j: %j', async (env, names) => expect(await enabledWith(env)).toEqual(names))

  test('sell their plans', async () => {
    const { all } = await providersWith({ ...STRIPE, ...BTCPAY })
    expect(all.map(({ plans }) => plans)).toEqual([['month', 'year'], ['crypto']])
    expect((await providersWith({})).sandbox?.plans).toEqual(['month', 'year', 'crypto'])
  })
})

test.each([
  ['2026-01-31T12:00:00Z', 1, '2027-01-31T12:00:00Z'],
  ['2027-06-01T00:00:00Z', 1, '2028-06-01T00:00:00Z'],
  ['2028-02-29T00:00:00Z', 1, '2029-03-01T00:00:00Z'],
  ['2028-02-29T00:00:00Z', 4, '2032-02-29T00:00:00Z'],
])('adds to %s %i calendar years: %s', (from, years, to) => {
  expect(calendarYears(Date.parse(from), years)).toBe(Date.parse(to) - Date.parse(from))
})
