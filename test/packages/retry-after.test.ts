import { afterEach, describe, expect, test, vi } from 'vitest'
import { Service } from '#client/http.ts'
import { DAY } from '#core/time.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** A service that always answers 429 with this `Retry-After`. */
function limitedService(retryAfter: string) {
  const problem = JSON.stringify({ type: 'about:blank', title: 'Too many', status: 429, code: 'too_many_requests' })
  const respond = vi.fn(async () => new Response(problem, { status: 429, headers: { 'retry-after': retryAfter } }))
  return { respond, service: new Service({ url: 'https://mayfly.example', fetch: respond }) }
}

test.each([
  ['7', 7],
  ['-5', 1],
  ['1.5', 1],
  ['2 seconds', 1],
  ['May 1', 1],
  ['Wed, 21 Oct 2015 07:28:00', 1],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
])('is read: %s', async (value, retryAfter) => {
  const { service } = limitedService(value)
  await expect(service.request('/address', { maxTries: 1 })).rejects.toMatchObject({ retryAfter })
})

describe.each(['America/New_York', 'Asia/Tokyo'])('in the time zone %s', (zone) => {
  test.each(['Sun, 06 Nov 2022 08:49:37 GMT', 'Sunday, 06-Nov-22 08:49:37 GMT', 'Sun Nov  6 08:49:37 2022'])(
    'is a date in UTC: %s',
    async (date) => {
      vi.stubEnv('TZ', zone)
      vi.useFakeTimers({ now: Date.UTC(2022, 10, 6, 8, 49, 27) })
      const { service } = limitedService(date)
      await expect(service.request('/address', { maxTries: 1 })).rejects.toMatchObject({ retryAfter: 10 })
    },
  )
})

test.each(['9999999', 'Fri, 27 Nov 2099 08:00:00 GMT'])('is waited for: %s', async (value) => {
  vi.useFakeTimers()
  const { respond, service } = limitedService(value)
  const client = new AbortController()
  const request = service.request('/address', { signal: client.signal }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(24 * DAY)
  expect(respond).toHaveBeenCalledOnce()
  client.abort('stopped')
  expect(await request).toBe('stopped')
})
