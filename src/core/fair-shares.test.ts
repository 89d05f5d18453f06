import { describe, expect, it } from 'vitest'
import { FairShares } from './fair-shares.ts'

const TOTAL = 1000

/** Something of which `TOTAL` is there, and networks take one unit at a time. */
function shared() {
  const shares = new FairShares()
  let free = TOTAL
  /** Takes one unit. Returns whether it was allowed. */
  const take = (network: string): boolean => {
    if (!shares.allows(network, 1, free)) return false
    shares.add(network, 1)
    free--
    return true
  }
  /** Takes as much as it gets. Returns how much. */
  const takeAll = (network: string): number => {
    const before = free
    while (take(network));
    return before - free
  }
  const give = (network: string, amount: number): void => {
    shares.add(network, -amount)
    free += amount
  }
  return { shares, take, takeAll, give, free: () => free }
}

describe('FairShares', () => {
  it.each([1, 2, 3, 10, 30, 100])('%i networks leave 1/(n+1) of everything', (count) => {
    const { takeAll, free } = shared()
    for (let n = 0; n < count; n++) takeAll(`n${n}`)
    expect(free()).toBeGreaterThanOrEqual(Math.floor(TOTAL / (count + 1)))
  })

  it.each([5, 50])('%i at a time, networks leave as much in any order', (atMost) => {
    const { take, free } = shared()
    for (let round = 0; round < 1000; round++) {
      for (let n = 0; n < 25; n++) for (let i = 0; i < atMost && take(`n${n}`); i++);
    }
    expect(free()).toBeGreaterThanOrEqual(Math.floor(TOTAL / 26))
  })

  it('lets small networks in when large ones get nothing more', () => {
    const { take, takeAll } = shared()
    for (let n = 0; n < 10; n++) takeAll(`large${n}`)
    const small = Array.from({ length: 60 }, (_, n) => `small${n}`)
    expect(small.every(take)).toBe(true)
    expect(take('large0')).toBe(false)
  })

  it('does not let a large network take more because there are many small ones', () => {
    const { take, takeAll } = shared()
    for (let n = 0; n < 100; n++) take(`small${n}`)
    expect(takeAll('large')).toBe(400)
  })

  it('gives everything to as many networks as there are units', () => {
    const { take, free } = shared()
    expect(Array.from({ length: TOTAL }, (_, n) => `n${n}`).every(take)).toBe(true)
    expect([free(), take('one more')]).toEqual([0, false])
  })

  it('gives again what was given back', () => {
    const { shares, takeAll, give } = shared()
    expect([takeAll('a'), takeAll('b')]).toEqual([500, 167])
    give('a', 500)
    expect([takeAll('a'), shares.heldBy('a'), shares.heldBy('b')]).toEqual([333, 333, 167])
    give('b', 167)
    expect([shares.heldBy('b'), shares.heldBy(undefined)]).toEqual([0, 0])
  })
})
