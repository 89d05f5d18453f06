import { expect, test } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { forTests } from './for-tests.fixture.ts'
import { rateLimits } from './rate-limits.ts'

test('deploy/tests.env lifts each rate of a client', () => {
  const { keys: _ofKeys, ...rates } = rateLimits(loadConfig(forTests))
  expect(Object.entries(rates).filter(([, { burst }]) => burst < 4000)).toEqual([])
})

test('more requests allow more of what has no setting', () => {
  const env = { MAYFLY_API_REQUESTS_PER_SECOND: '240', MAYFLY_PAGE_REQUESTS_PER_SECOND: '300' }
  const { logins, failedLogins, linkChecks, images } = rateLimits(loadConfig(env))
  expect([logins, linkChecks]).toEqual([
    { burst: 10, seconds: 1 / 10 },
    { burst: 10, seconds: 1 },
  ])
  expect([failedLogins.seconds, images.seconds]).toEqual([100 / 240, 1 / 200])
})

test.each([
  ['the default', {}],
  ['fewer requests', { MAYFLY_API_REQUESTS_PER_SECOND: '1', MAYFLY_PAGE_REQUESTS_PER_SECOND: '1' }],
])('with %s, there is still time for people', (_name, env) => {
  const { logins, failedLogins, linkChecks, images } = rateLimits(loadConfig(env))
  expect({ logins, failedLogins, linkChecks, images }).toEqual({
    logins: { burst: 10, seconds: 3 },
    failedLogins: { burst: 12, seconds: 1 },
    linkChecks: { burst: 10, seconds: 30 },
    images: { burst: expect.any(Number), seconds: 1 / 20 },
  })
})
