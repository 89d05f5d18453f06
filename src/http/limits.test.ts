import { describe, expect, test } from 'vitest'
import { clientKey, OpenCounts, TokenBuckets } from './limits.ts'

describe('whom a limit counts', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['192.0.2.1.5', 'unknown'],
    ['192.0.2.1:', 'unknown'],
    ['127.1', 'unknown'],
    ['', 'unknown'],
  ])('%s: %s', (ip, key) => expect(clientKey(ip)).toBe(key))
})

describe('a token bucket', () => {
  test('gives its burst, then one each interval, and is full again in time', () => {
    const time = { now: 0 }
    const buckets = new TokenBuckets(3, 1000, () => time.now)
    const take = () => buckets.take('a')
    expect([take(), take(), take()].map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
    ])
    expect(take()).toEqual({ allowed: false, remaining: 0, reset: 3, retryAfter: 1 })
    time.now = 999
    expect(take().allowed).toBe(false)
    time.now = 1000
    expect(take()).toMatchObject({ allowed: true, remaining: 0 })
    time.now = 10_000
    expect(take()).toEqual({ allowed: true, remaining: 2, reset: 1, retryAfter: 0 })
    expect(buckets.take('b')).toMatchObject({ remaining: 2 })
  })
})

test('places are counted for each client and for all, and given back once', () => {
  const counts = new OpenCounts(2, 3)
  const leave = [counts.enter('192.0.2.1'), counts.enter('192.0.2.1'), counts.enter('192.0.2.2')]
  expect(counts.enter('192.0.2.1')).toBeUndefined()
  expect(counts.enter('192.0.2.3')).toBeUndefined()
  leave[0]?.()
  leave[0]?.()
  expect(counts.total).toBe(2)
  expect(counts.enter('192.0.2.1')).toBeDefined()
  expect(counts.enter('192.0.2.3')).toBeUndefined()
})
