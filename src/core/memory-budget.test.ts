import { describe, expect, test } from 'vitest'
import { freeBytes, MemoryBudget } from './memory-budget.ts'

test.each([
  [160 * 1024, 0],
  [Buffer.poolSize, Buffer.poolSize],
  [100, 100],
])('frees a buffer of %i bytes only if it is large, so that no pool is lost', (bytes, left) => {
  const neighbor = Buffer.from('neighbor')
  const buffer = Buffer.allocUnsafe(bytes)
  freeBytes(buffer)
  expect([buffer.length, String(neighbor)]).toEqual([left, 'neighbor'])
})

test('takes only free bytes', () => {
  const budget = new MemoryBudget(10)
  expect([budget.take(6), budget.take(5), budget.take(4)]).toEqual([true, false, true])
  budget.give(6)
  expect([budget.used, budget.take(6)]).toEqual([4, true])
})

test('lends to urgent requests first, then in order', async () => {
  const budget = new MemoryBudget(10)
  const first = await budget.lend(8)
  const order: string[] = []
  const lend = async (name: string, options?: { urgent: boolean }) => {
    const giveBack = await budget.lend(5, options)
    order.push(name)
    return giveBack
  }
  const requests = [lend('a'), lend('b'), lend('urgent', { urgent: true })]
  expect(budget.tryLend(1)).toBeUndefined()
  await new Promise(setImmediate)
  first()
  first()
  await Promise.all(requests.map(async (each) => (await each)()))
  expect(order).toEqual(['urgent', 'a', 'b'])
  expect(budget.used).toBe(0)
})

test('lends more than the limit when nothing else is lent', async () => {
  const budget = new MemoryBudget(10)
  const small = await budget.lend(1)
  const large = budget.lend(100)
  small()
  const giveBack = await large
  expect(budget.used).toBe(100)
  expect(budget.take(1)).toBe(false)
  giveBack()
  expect(budget.take(10)).toBe(true)
})

test('lends to one request at a time even if all bytes are taken', async () => {
  const budget = new MemoryBudget(10)
  expect(budget.take(10)).toBe(true)
  expect(budget.tryLend(5)).toBeDefined()
  expect(budget.tryLend(5)).toBeUndefined()
})

describe('while readers have large messages open all the time', () => {
  const LIMIT = 96_000
  const turn = () => new Promise(setImmediate)

  /** Lends `bytes` again and again to three readers, two of which fit. */
  function reading(budget: MemoryBudget, bytes: number, options: { urgent?: boolean } = { urgent: true }) {
    const state = { on: true, count: 0 }
    const read = async () => {
      while (state.on) {
        const giveBack = await budget.lend(bytes, options)
        await turn()
        giveBack()
        state.count++
      }
    }
    return { state, done: Promise.all([read(), read(), read()]) }
  }

  test.each([
    [50_000, 60_000],
    [30_000, 60_000],
    [125_000, 150_000],
    [20_000, 2500],
    [90_000, 80_000],
  ])('of %i bytes, a delivery of %i bytes gets its turn', async (read, delivered) => {
    const budget = new MemoryBudget(LIMIT)
    const { state, done } = reading(budget, read)
    await turn()
    const giveBack = await budget.lend(delivered)
    expect(state.count).toBeLessThan(10)
    giveBack()
    state.on = false
    await done
    expect(budget.used).toBe(0)
  })

  test('readers get their turn among deliveries', async () => {
    const budget = new MemoryBudget(LIMIT)
    const { state, done } = reading(budget, 60_000, {})
    await turn()
    const giveBack = await budget.lend(50_000, { urgent: true })
    expect(state.count).toBeLessThan(10)
    giveBack()
    state.on = false
    await done
  })

  test.each([{}, { urgent: true }, { slow: true }])(
    'small requests do not wait for a large one: %o',
    async (options) => {
      const budget = new MemoryBudget(LIMIT)
      const { state, done } = reading(budget, 50_000)
      const large = budget.lend(60_000)
      for (let i = 0; i < 100; i++) {
        const giveBack = budget.tryLend(1000, options)
        expect(giveBack).toBeDefined()
        giveBack?.()
      }
      state.on = false
      ;(await large)()
      await done
      expect(budget.used).toBe(0)
    },
  )

  test('messages can be transferred', async () => {
    const budget = new MemoryBudget(LIMIT)
    const giveBack = await budget.lend(125_000, { urgent: true })
    expect([budget.free, budget.take(12_000), budget.take(1)]).toEqual([12_000, true, false])
    budget.give(12_000)
    giveBack()
    expect(budget.free).toBe(90_000)
  })
})

test('slow work leaves the reserve of deliveries free', async () => {
  const budget = new MemoryBudget(96_000)
  await budget.lend(96_000)
  const slow = Array.from({ length: 10 }, () => budget.tryLend(1000, { slow: true }))
  expect(slow.filter(Boolean)).toHaveLength(2)
  const normal = Array.from({ length: 3 }, () => budget.tryLend(1000))
  expect(normal.filter(Boolean)).toHaveLength(2)
  expect(budget.used).toBe(100_000)
})

test('lends no more than the limit to requests that fit', async () => {
  const budget = new MemoryBudget(96_000)
  expect(budget.take(40_000)).toBe(true)
  while (budget.tryLend(5000) ?? budget.tryLend(500) ?? budget.tryLend(500, { urgent: true }));
  while (budget.tryLend(500, { slow: true }));
  expect(budget.used).toBeGreaterThan(95_000)
  expect(budget.used).toBeLessThanOrEqual(96_000)
})

describe('a waiting request', () => {
  test('is taken back by its signal, and the next one is served', async () => {
    const budget = new MemoryBudget(10)
    const giveBack = await budget.lend(6)
    const controller = new AbortController()
    const first = budget.lend(8, { signal: controller.signal })
    const second = budget.lend(4)
    controller.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    ;(await second)()
    giveBack()
    const third = await budget.lend(6, { signal: controller.signal })
    await expect(budget.lend(8, { signal: controller.signal })).rejects.toThrow('gone')
    third()
    expect(budget.used).toBe(0)
  })

  test('ends after its patience', async () => {
    const budget = new MemoryBudget(10)
    const giveBack = await budget.lend(6)
    await expect(budget.lend(6, { patience: 1 })).rejects.toMatchObject({ code: 'disk_full' })
    giveBack()
    expect(budget.used).toBe(0)
  })
})

test('slow work that holds its part keeps nobody else waiting', async () => {
  const budget = new MemoryBudget(96_000)
  const slow = await Promise.all([budget.lend(15_000, { slow: true }), budget.lend(14_000, { slow: true })])
  const waiting = budget.lend(20_000, { slow: true })
  for (let i = 0; i < 5; i++) for (const urgent of [false, true]) (await budget.lend(30_000, { urgent }))()
  for (const giveBack of slow) giveBack()
  ;(await waiting)()
  expect(budget.used).toBe(0)
})
