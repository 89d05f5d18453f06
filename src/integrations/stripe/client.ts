import { Stripe } from 'stripe'
import { MayflyError } from '#core/errors.ts'
import type { Logger } from '#core/telemetry.ts'
import type { StripeOptions } from './options.ts'

/** The version whose objects this folder reads. A new one comes with a new package, and is read up on first. */
const API_VERSION = '2026-10-28.endive'

export function createClient({ secretKey, apiUrl, timeout }: StripeOptions): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl)
  const http = protocol === 'http:'
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    host: hostname,
    port: port || (http ? 80 : 443),
    protocol: http ? 'http' : 'https',
    timeout,
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** Asks Stripe something; whatever goes wrong there is `payment_unavailable`. */
export type Ask = <T>(call: PromiseLike<T>) => Promise<T>

/** The log gets the kind of an error only: Stripe's messages repeat what they were given, such as an email. */
export function createAsk(logger: Logger): Ask {
  return async (call) => {
    try {
      return await call
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error
      const { type, code, param, statusCode, requestId } = error
      if (code === 'email_invalid') throw new MayflyError('email_invalid')
      logger.warn(
        { provider: 'stripe', type, code, param, status: statusCode, requestId },
        'a payment provider refused a call',
      )
      throw new MayflyError('payment_unavailable')
    }
  }
}

/** One by one over all pages of a list. */
export async function* each<T>(ask: Ask, list: AsyncIterable<T>): AsyncIterable<T> {
  const items = list[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await ask(items.next())
    if (done) return
    yield value
  }
}

/** What Stripe answers; undefined where it has no such thing. */
export async function orUndefined<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return undefined
    throw error
  }
}

/** The id of what Stripe gives as an id or, expanded, as the thing itself. */
export const idOf = (thing: string | { id: string } | null | undefined): string | undefined =>
  typeof thing === 'string' ? thing : thing?.id

/** Key of the metadata that names our order. */
export const ORDER = 'mayfly_order'
/** And the price that was bought, for its look-up key may pass to a new one. */
export const PRICE = 'mayfly_price'
