import type { Stripe } from 'stripe'
import type { Order } from '#core/billing/order.ts'
import type { CheckoutRequest } from '#core/billing/payment.ts'
import { MayflyError } from '#core/errors.ts'
import type { Logger } from '#core/telemetry.ts'
import { type Ask, ORDER, PRICE } from './client.ts'
import type { StripeOptions } from './options.ts'

/** Mayfly's languages that Stripe's pages support, with Stripe's codes. For other languages the browser decides. */
const LOCALES: Record<string, string> = {
  ...Object.fromEntries(
    'de en es fr id it ja ko ms nl pl ro ru th tr vi zh zh-TW'.split(' ').map((code) => [code, code]),
  ),
  pt: 'pt-BR',
}

export const localeOf = (language: string): string => LOCALES[language] ?? 'auto'

/**
 * Creates the Checkout Session of an order. The id of the order is the idempotency key, so a repeated call returns the
 * same session.
 */
export function createCheckout(
  stripe: Stripe,
  ask: Ask,
  { lookupKeys, automaticTax }: Pick<StripeOptions, 'lookupKeys' | 'automaticTax'>,
  logger: Logger,
) {
  /**
   * Returns the id of the price with the look-up key. Throws `payment_unavailable` if it differs from the order,
   * because one of the two is wrong.
   */
  async function priceOf(order: Order): Promise<string> {
    const key = order.plan === 'month' ? lookupKeys.month : lookupKeys.year
    const { data } = await ask(stripe.prices.list({ lookup_keys: [key], active: true, limit: 1 }))
    const [price] = data
    const found = price && {
      amount: price.unit_amount,
      currency: price.currency.toUpperCase(),
      interval: price.recurring?.interval,
      intervals: price.recurring?.interval_count,
    }
    const expected = { ...order.total, interval: order.plan, intervals: 1 }
    const differs = Object.keys(expected).filter((name) => found?.[name as never] !== expected[name as never])
    if (price && differs.length === 0) return price.id
    logger.error({ lookupKey: key, differs, expected, found }, 'the price at Stripe is not that of the configuration')
    throw new MayflyError('payment_unavailable')
  }

  return async ({ order, email, doneUrl, backUrl }: CheckoutRequest): Promise<{ ref: string; url: string }> => {
    const price = await priceOf(order)
    const session = await ask(
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          line_items: [{ price, quantity: 1 }],
          currency: order.total.currency.toLowerCase(),
          // Charges the amount of the order in its currency.
          adaptive_pricing: { enabled: false },
          customer_email: email,
          client_reference_id: order.id,
          metadata: { [ORDER]: order.id },
          subscription_data: { metadata: { [ORDER]: order.id, [PRICE]: price } },
          success_url: doneUrl,
          cancel_url: backUrl,
          locale: localeOf(order.language),
          automatic_tax: { enabled: automaticTax },
        },
        { idempotencyKey: order.id },
      ),
    )
    if (session.url === null) throw new MayflyError('payment_unavailable')
    return { ref: `session:${session.id}`, url: session.url }
  }
}
