import { afterEach, beforeEach } from 'vitest'
import { type FakeBtcpay, startFakeBtcpay } from '#test/support/fakes/btcpay.ts'
import { checkOut, newOrder, testPorts, TOLERANCE } from '../testing.ts'
import { createBtcpay } from './btcpay.ts'
import type { BtcpayOptions } from './options.ts'

/** The fake BTCPay Server and Mayfly's side, both new for each test. */
export let fake: FakeBtcpay
export let fixture: ReturnType<typeof testPorts>

export function useBtcpay(): void {
  beforeEach(async () => {
    fixture = testPorts()
    fake = await startFakeBtcpay({ clock: () => fixture.time.now })
  })
  afterEach(() => fake.close())
}

export const provider = (options: Partial<BtcpayOptions> = {}) =>
  createBtcpay(
    {
      url: fake.url,
      storeId: fake.storeId,
      apiKey: fake.apiKey,
      webhookSecret: fake.webhookSecret,
      expirationMinutes: 60,
      speedPolicy: 'MediumSpeed',
      tolerance: TOLERANCE,
      timeout: 5000,
      ...options,
    },
    fixture.ports,
  )

export const cryptoOrder = (years = 1) =>
  newOrder({ provider: 'btcpay', plan: 'crypto', years, total: { amount: 8600 * years, currency: 'USD' } })

/** Creates an order with an open invoice. */
export async function ordered(years = 1) {
  const order = cryptoOrder(years)
  const btcpay = provider()
  const { ref, url } = await checkOut(btcpay, fixture.orders, order)
  return { order, btcpay, url, ref, id: ref, read: () => btcpay.read(ref) }
}
