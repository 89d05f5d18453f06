import type { PaymentProvider } from '#core/billing/payment.ts'
import type { PaymentPorts } from '../payment-ports.ts'
import { createCheckout, localeOf } from './checkout.ts'
import { createAsk, createClient, idOf, orUndefined } from './client.ts'
import type { StripeOptions } from './options.ts'
import { verifyPaymentEvent } from './payment-event.ts'
import { createRead } from './read.ts'
import { subjectsSince } from './since.ts'

export type { StripeOptions } from './options.ts'

/**
 * Card payments through Stripe Checkout. A `ref` is also a subject: `session:…` for a checkout, `subscription:…` for a
 * payment source.
 */
export function createStripe(options: StripeOptions, { orders, clock, logger }: PaymentPorts): PaymentProvider {
  const stripe = createClient(options)
  const ask = createAsk(logger)
  return {
    name: 'stripe',
    plans: ['month', 'year'],
    addsTax: options.automaticTax,
    checkout: createCheckout(stripe, ask, options, logger),
    verify: (body, headers) => verifyPaymentEvent(stripe, body, headers, options, clock()),
    read: createRead(stripe, ask, options, orders),
    async portal(customer, backUrl, language) {
      const locale = localeOf(language)
      return (await ask(stripe.billingPortal.sessions.create({ customer, return_url: backUrl, locale }))).url
    },
    async cancel(ref) {
      const [kind, name = ''] = ref.split(':')
      const session = kind === 'session' ? await ask(orUndefined(stripe.checkout.sessions.retrieve(name))) : undefined
      const id = kind === 'session' ? idOf(session?.subscription) : name
      const subscription = id && (await ask(orUndefined(stripe.subscriptions.retrieve(id))))
      if (!subscription || subscription.ended_at !== null) return
      // At once: until the end of a period, Stripe would continue to collect an open invoice. Stripe does not find a
      // subscription that ended in the meantime.
      await ask(orUndefined(stripe.subscriptions.cancel(id)))
    },
    async expire(ref) {
      const id = ref.replace(/^session:/, '')
      const session = await ask(orUndefined(stripe.checkout.sessions.retrieve(id)))
      if (session?.status === 'open') await ask(stripe.checkout.sessions.expire(id))
    },
    subjectsSince: (since) => subjectsSince(stripe, ask, since, clock()),
  }
}
