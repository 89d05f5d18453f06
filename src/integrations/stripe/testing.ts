import { afterEach, beforeEach } from 'vitest'
import { type FakeStripe, startFakeStripe } from '#test/support/fakes/stripe.ts'
import { checkOut, newOrder, testPorts, TOLERANCE } from '../testing.ts'
import type { StripeOptions } from './options.ts'
import { createStripe } from './stripe.ts'

/** The fake Stripe and Mayfly's side, both new for each test. */
export let fake: FakeStripe
export let fixture: ReturnType<typeof testPorts>

export function useStripe(): void {
  beforeEach(async () => {
    fixture = testPorts()
    fake = await startFakeStripe({ clock: () => fixture.time.now })
  })
  afterEach(() => fake.close())
}

export const provider = (options: Partial<StripeOptions> = {}) =>
  createStripe(
    {
      secretKey: fake.secretKey,
      webhookSecret: fake.webhookSecret,
      lookupKeys: { month: 'mayfly_premium_month', year: 'mayfly_premium_year' },
      automaticTax: false,
      apiUrl: fake.url,
      tolerance: TOLERANCE,
      timeout: 5000,
      ...options,
    },
    fixture.ports,
  )

/** Creates an order with an open checkout. */
export async function ordered(fields: Parameters<typeof newOrder>[0] = {}, options: Partial<StripeOptions> = {}) {
  const order = newOrder(fields)
  const stripe = provider(options)
  const { ref, url } = await checkOut(stripe, fixture.orders, order)
  return { order, stripe, ref, url, session: fake.sessionOf(order.id), read: () => stripe.read(ref) }
}

/** Creates an order that is paid. */
export async function bought(fields: Parameters<typeof newOrder>[0] = {}) {
  const all = await ordered(fields)
  const invoice = fake.pay(all.session.id)
  return { ...all, invoice, subscription: fake.subscriptionOf(all.order.id) }
}

/** The ends of monthly periods that start on January 31. */
export const ENDS: readonly number[] = [
  Date.UTC(2026, 1, 28, 12),
  Date.UTC(2026, 2, 31, 12),
  Date.UTC(2026, 3, 30, 12),
  Date.UTC(2026, 4, 31, 12),
]
export const [MONTH_END, SECOND_END] = ENDS as [number, number]
