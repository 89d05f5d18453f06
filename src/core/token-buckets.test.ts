import { describe, expect, test } from 'vitest'
import { visitorNetworks } from './networks.ts'
import { TokenBuckets } from './token-buckets.ts'

function start(burst: number, interval = 1000) {
  const time = { now: 0 }
  return { time, buckets: new TokenBuckets(burst, interval, () => time.now) }
}

test('grants the burst, then one token per interval, and refills completely', () => {
  const { time, buckets } = start(3)
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

describe('nested networks', () => {
  /** Returns how many tokens clients get before the first refusal. */
  function takeAll(buckets: TokenBuckets, client: (n: number) => string): number {
    let count = 0
    while (buckets.take(visitorNetworks(client(count))).allowed) count++
    return count
  }

  test.each([
    ['one /64', (n: number) => `2001:db8:0:0::${(n + 1).toString(16)}`, 5],
    ['a /56 with many /64', (n: number) => `2001:db8:0:${(n % 256).toString(16)}::1`, 50],
    ['a /48 with many /56', (n: number) => `2001:db8:0:${((n * 257) % 65_536).toString(16)}::1`, 500],
    ['an IPv4 address', () => '192.0.2.1', 5],
  ])('grant ten times more per wider step: %s', (_, client, expected) => {
    const { time, buckets } = start(5)
    expect(takeAll(buckets, client)).toBe(expected)
    time.now = 1000
    expect(takeAll(buckets, client)).toBe(expected / 5)
  })

  test('do not affect other networks, and do not charge refused requests', () => {
    const { buckets } = start(5)
    takeAll(buckets, () => '2001:db8::1')
    for (let i = 0; i < 1000; i++) buckets.take(visitorNetworks('2001:db8::1'))
    expect(takeAll(buckets, (n) => `2001:db8:0:${(n + 1).toString(16)}::1`)).toBe(45)
    expect(takeAll(buckets, () => '2001:db8:1::1')).toBe(5)
    expect(takeAll(buckets, () => '192.0.2.1')).toBe(5)
  })

  test('report the least remaining tokens of all networks, and when to retry', () => {
    const { buckets } = start(5)
    for (let n = 1; n < 49; n++) buckets.take(visitorNetworks(`2001:db8:0:${n.toString(16)}::1`))
    expect(buckets.take(visitorNetworks('2001:db8::1')).remaining).toBe(1)
    expect(buckets.take(visitorNetworks('2001:db8::1')).remaining).toBe(0)
    expect(buckets.take(visitorNetworks('2001:db8::1'))).toMatchObject({ allowed: false, retryAfter: 1 })
  })
})

describe('many tokens at once', () => {
  test('are granted if available, and can be returned', () => {
    const { buckets } = start(100)
    expect(buckets.take('a', 60).allowed).toBe(true)
    expect([buckets.has('a', 40), buckets.has('a', 41)]).toEqual([true, false])
    expect(buckets.take('a', 41)).toMatchObject({ allowed: false, remaining: 40, retryAfter: 1 })
    buckets.give('a', 60)
    expect(buckets.take('a', 100).allowed).toBe(true)
    buckets.owe('a', 50)
    buckets.give('a', 60)
    expect([buckets.has('a', 10), buckets.has('a', 11)]).toEqual([true, false])
  })

  test('are granted beyond the burst only by a full bucket, as a debt', () => {
    const { time, buckets } = start(100)
    expect(buckets.take('a', 250).allowed).toBe(true)
    time.now = 150_000
    expect(buckets.take('a').allowed).toBe(false)
    time.now = 151_000
    expect(buckets.take('a').allowed).toBe(true)
  })
})
