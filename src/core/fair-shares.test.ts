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

/** Returns a function for random integers below a limit, always the same ones. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
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

  it.each([
    [100, 1, 500],
    [200, 3, 396],
    [260, 2, 477],
    [60, 9, 444],
  ])('lets a large network take what %i networks with %i each leave, up to half', (count, each, expected) => {
    const { take, takeAll } = shared()
    for (let round = 0; round < each; round++) for (let n = 0; n < count; n++) take(`small${n}`)
    expect(takeAll('large')).toBe(expected)
  })

  it('lets every network take more while half is left, whatever others hold', () => {
    const random = randomNumbers(1)
    for (let run = 0; run < 300; run++) {
      const { shares, take, free } = shared()
      const networks = 1 + random(40)
      // Some networks are much larger than others.
      while (random(50) > 0) take(`n${Math.floor(random(networks) * random(2))}`)
      for (let n = 0; n <= networks; n++) {
        const most = free() - TOTAL / 2
        if (most > 0) expect(shares.allows(`n${n}`, 1 + random(most), free())).toBe(true)
      }
    }
  })

  it.each([1, 16])('the n largest networks hold at most n/(n+1), in units of %i', (unit) => {
    const random = randomNumbers(2)
    const shares = new FairShares(unit)
    const held = new Map<string, number>()
    let free = TOTAL
    /** How much more than their share networks had. */
    let most = 0
    const move = (network: string, amount: number): void => {
      shares.add(network, amount)
      held.set(network, (held.get(network) ?? 0) + amount)
      free -= amount
    }
    for (let step = 0; step < 5000; step++) {
      const network = `n${random(1 + random(60))}`
      const amount = 1 + random(20)
      if (random(4) === 0) move(network, -Math.min(amount, held.get(network) ?? 0))
      else if (shares.allows(network, amount, free)) move(network, amount)
      const sizes = [...held.values()].toSorted((a, b) => b - a)
      let sum = 0
      for (const [index, size] of sizes.entries()) {
        sum += size
        const n = index + 1
        // A rank has networks of different sizes if a unit is more than 1.
        most = Math.max(most, sum - Math.ceil((n / (n + 1)) * TOTAL) - (unit - 1) * n)
      }
    }
    expect(most).toBe(0)
  })

  it('is as fair if many small networks are there', () => {
    const { take, takeAll, free } = shared()
    for (let n = 0; n < 100; n++) take(`small${n}`)
    // First equal, then one after the other as much as it gets.
    for (let round = 0; round < 225; round++) for (let n = 0; n < 3; n++) take(`greedy${n}`)
    for (let n = 0; n < 3; n++) takeAll(`greedy${n}`)
    expect(free()).toBeGreaterThanOrEqual(TOTAL / 4 - 100)
  })

  it('checks ten thousand networks in a moment', () => {
    const shares = new FairShares()
    for (let n = 0; n < 10_000; n++) shares.add(`n${n}`, 1 + (n % 5))
    const start = performance.now()
    for (let n = 0; n < 10_000; n++) shares.allows(`n${n}`, 1, 15_000)
    expect(performance.now() - start).toBeLessThan(500)
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
    expect([takeAll('a'), shares.heldBy('a'), shares.heldBy('b')]).toEqual([500, 500, 167])
    give('b', 167)
    expect([shares.heldBy('b'), shares.heldBy(undefined)]).toEqual([0, 0])
  })
})
