import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { api, fetchJson, problemOf } from './api.ts'

const requests: [url: string, init: RequestInit][] = []
const answer = (make: () => Response | Promise<Response>): void => {
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push([url, init])
    return make()
  })
}
beforeEach(() => {
  vi.stubGlobal('document', { querySelector: () => ({ dataset: { account: 'shown' } }) })
})
afterEach(() => {
  requests.length = 0
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
const problem = (call: Promise<unknown>) => call.then(() => null, problemOf)

test('replaces the old address by a new one', async () => {
  answer(() => Response.json({ address: 'a@mayfly.test' }, { status: 201 }))
  expect(await api.create({ login: 'a' })).toEqual({ address: 'a@mayfly.test' })
  const [[url, init] = []] = requests
  expect([url, init?.method, init?.body]).toEqual(['/api/v1/addresses', 'POST', '{"login":"a","replace":true}'])
})

test('says which account the page shows', async () => {
  answer(() => Response.json({}))
  await api.deleteAddress()
  vi.stubGlobal('document', { querySelector: () => ({ dataset: {} }) })
  await api.deleteAddress()
  expect(requests.map(([, { headers }]) => headers)).toEqual([{ 'x-account': 'shown' }, { 'x-account': '' }])
})

test('requests older messages by cursor', async () => {
  answer(() => Response.json({ messages: [], next: null }))
  await api.messages()
  await api.messages('01abc')
  expect(requests.map(([url]) => url)).toEqual(['/api/v1/messages', '/api/v1/messages?before=01abc'])
})

describe('problemOf', () => {
  test('returns the error code and the retry delay', async () => {
    answer(() => Response.json({ code: 'too_many_requests' }, { status: 429, headers: { 'retry-after': '7' } }))
    expect(await problem(api.create())).toEqual({ code: 'too_many_requests', retryAfter: 7 })
    answer(() => Response.json({ code: 'address_taken' }, { status: 409 }))
    expect(await problem(api.create())).toEqual({ code: 'address_taken' })
  })

  test('returns offline if there is no response', async () => {
    answer(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await problem(api.address())).toEqual({ code: 'offline' })
  })

  /** Sends as little as `part` of the response. Then the connection is dead, until the request is aborted. */
  const stall = (part: 'nothing' | 'headers'): AbortController => {
    const limit = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    vi.stubGlobal('fetch', (_url: string, { signal }: RequestInit) => {
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      )
      aborted.catch(() => {})
      const body = new ReadableStream({ pull: () => aborted })
      return part === 'nothing' ? aborted : Promise.resolve(new Response(body))
    })
    return limit
  }

  test.each(['nothing', 'headers'] as const)('returns offline if %s arrived in time', async (part) => {
    const limit = stall(part)
    const asked = problem(api.address())
    expect(AbortSignal.timeout).toHaveBeenCalledWith(60_000)
    limit.abort(new DOMException('late', 'TimeoutError'))
    expect(await asked).toEqual({ code: 'offline' })
  })

  test('is the same for the files of the site', async () => {
    answer(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await problem(fetchJson('/messages/en.json'))).toEqual({ code: 'offline' })
    answer(() => new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
    expect(await problem(fetchJson('/messages/en.json'))).toEqual({ code: 'internal' })
    answer(() => Response.json({ a: 1 }))
    expect(await fetchJson('/messages/en.json')).toEqual({ a: 1 })
  })

  test('returns internal for a non-JSON error of a proxy', async () => {
    answer(() => new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
    expect(await problem(api.messages())).toEqual({ code: 'internal' })
  })

  test('returns internal for an exception of the page itself', () =>
    expect(problemOf(new TypeError('x is not a function'))).toEqual({ code: 'internal' }))
})
