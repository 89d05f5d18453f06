import { Stripe } from 'stripe'
import { failedCall } from '#core/billing/payment.ts'
import { MayflyError } from '#core/errors.ts'
import type { Logger } from '#core/telemetry.ts'
import type { StripeOptions } from './options.ts'

/** The API version whose objects this folder reads. Read its changelog before an update. */
const API_VERSION = '2026-10-28.endive'

/** Whether a body is one of Stripe's: each object, list and error says what it is. */
const isOfStripe = (body: unknown): boolean => {
  const { object, error } = Object(body) as { object?: unknown; error?: unknown }
  return typeof object === 'string' || (typeof error === 'object' && error !== null)
}

/**
 * Rejects JSON that is not Stripe's, such as a string. Stripe's library would throw an error where nobody can catch it,
 * which ends the process.
 */
function createHttpClient(): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient()
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = async (...args) => {
    const response = await makeRequest(...args)
    const toJSON = response.toJSON.bind(response)
    response.toJSON = async () => {
      const body: unknown = await toJSON()
      if (!isOfStripe(body)) throw new TypeError('Not a response of Stripe')
      return body
    }
    return response
  }
  return client
}

export function createClient({ secretKey, apiUrl, timeout }: StripeOptions): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl)
  const http = protocol === 'http:'
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    host: hostname,
    port: port || (http ? 80 : 443),
    protocol: http ? 'http' : 'https',
    timeout,
    httpClient: createHttpClient(),
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** Awaits a call to Stripe. Every Stripe error becomes `payment_unavailable`, except an invalid email address. */
export type Ask = <T>(call: PromiseLike<T>) => Promise<T>

/** Logs only the kind of an error: Stripe's messages contain input, such as an email address. */
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
        'payment provider rejected a call',
      )
      throw failedCall(statusCode)
    }
  }
}

/** Yields the items of all batches of a list. */
export async function* each<T>(ask: Ask, list: AsyncIterable<T>): AsyncIterable<T> {
  const items = list[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await ask(items.next())
    if (done) return
    yield value
  }
}

/** Returns undefined if Stripe responds with 404. */
export async function orUndefined<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return undefined
    throw error
  }
}

/** Returns the id of an object that Stripe returned as an id or expanded. */
export const idOf = (thing: string | { id: string } | null | undefined): string | undefined =>
  typeof thing === 'string' ? thing : thing?.id

/** The metadata key for the id of the order. */
export const ORDER = 'mayfly_order'
/** The metadata key for the price that was bought. Needed because a look-up key may be transferred to another price. */
export const PRICE = 'mayfly_price'
