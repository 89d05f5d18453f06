import { MayflyError } from '@mayfly/client'

/** How long the visitor waits for a response, in milliseconds. */
const TIMEOUT = 10_000
/** The next attempt does not repeat a request that creates an address: it may create another one. */
const CREATE_TIMEOUT = 30_000
const TOO_MANY = 429
const SECONDS = /^\d+$/

/** Returns the response when its body has arrived too. */
async function fetchWhole(input: string | URL | Request, init: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  const body = await response.arrayBuffer()
  // Some statuses allow no body.
  return new Response(body.byteLength > 0 ? body : null, response)
}

/**
 * For requests that the visitor waits for: the client would try again after 429, for minutes and without a word. Rejects
 * with `MayflyError` after 429, and with a TypeError, as without a connection, if there is no response in time.
 */
export async function fetchAwaited(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(init.method === 'POST' ? CREATE_TIMEOUT : TIMEOUT)
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
  const response = await fetchWhole(input, { ...init, signal }).catch((error: unknown) => {
    throw timeout.aborted ? new TypeError('The service does not respond') : error
  })
  if (response.status !== TOO_MANY) return response
  const after = response.headers.get('retry-after') ?? ''
  const problem = { type: 'about:blank', title: 'Too many requests', status: TOO_MANY, code: 'too_many_requests' }
  throw new MayflyError(problem, SECONDS.test(after) ? Number(after) : 1)
}
