import { Stripe } from 'stripe'
import { MayflyError } from '#core/errors.ts'
import type { Logger } from '#core/telemetry.ts'
import type { StripeOptions } from './options.ts'

/**
 * The API version whose objects this folder reads. A new version comes with a new package and requires reading its
 * changelog.
 */
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

/** Calls Stripe. Any failure becomes `payment_unavailable`. */
export type Ask = <T>(call: PromiseLike<T>) => Promise<T>

/** Only the kind of an error is logged, because Stripe's messages repeat their input, such as an email address. */
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

/** Iterates over all pages of a list. */
export async function* each<T>(ask: Ask, list: AsyncIterable<T>): AsyncIterable<T> {
  const items = list[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await ask(items.next())
    if (done) return
    yield value
  }
}

/** Returns Stripe's object, or undefined if it does not exist. */
export async function orUndefined<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return undefined
    throw error
  }
}

/** Returns the id of an object that Stripe sends as an id or expanded. */
export const idOf = (thing: string | { id: string } | null | undefined): string | undefined =>
  typeof thing === 'string' ? thing : thing?.id

/** The metadata key with the order's id. */
export const ORDER = 'mayfly_order'
/** The metadata key with the bought price, because its look-up key may be moved to a new price. */
export const PRICE = 'mayfly_price'
