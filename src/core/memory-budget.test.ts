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
  const lend = async (name: string, options?: { kind: 'urgent' }) => {
    const giveBack = await budget.lend(5, options)
    order.push(name)
    return giveBack
  }
  const requests = [lend('a'), lend('b'), lend('urgent', { kind: 'urgent' })]
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
  function reading(budget: MemoryBudget, bytes: number, options: { kind?: 'urgent' } = { kind: 'urgent' }) {
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
    const giveBack = await budget.lend(50_000, { kind: 'urgent' })
    expect(state.count).toBeLessThan(10)
    giveBack()
    state.on = false
    await done
  })

  test.each(['normal', 'urgent', 'check', 'forward'] as const)(
    'small requests do not wait for a large one: %s',
    async (kind) => {
      const budget = new MemoryBudget(LIMIT)
      const { state, done } = reading(budget, 50_000)
      const large = budget.lend(60_000)
      for (let i = 0; i < 100; i++) {
        const giveBack = budget.tryLend(1000, { kind })
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
    const giveBack = await budget.lend(125_000, { kind: 'urgent' })
    expect([budget.free, budget.take(12_000), budget.take(1)]).toEqual([12_000, true, false])
    budget.give(12_000)
    giveBack()
    expect(budget.free).toBe(74_000)
  })
})

test('lends no more than the limit to requests that fit', async () => {
  const budget = new MemoryBudget(96_000)
  expect(budget.take(40_000)).toBe(true)
  for (const kind of ['urgent', 'normal', 'check', 'forward'] as const) {
    while (budget.tryLend(5000, { kind }) ?? budget.tryLend(500, { kind }));
  }
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
    await expect(budget.lend(6, { signal: controller.signal })).rejects.toThrow('gone')
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

describe('slow work', () => {
  const MB = 1024 * 1024
  const soon = { patience: 20 }
  const turn = () => new Promise(setImmediate)

  test('of one kind gets its memory while another kind always holds some', async () => {
    const budget = new MemoryBudget(96 * MB)
    let held = budget.tryLend(MB / 5, { kind: 'check' })
    const forward = budget.lend(37 * MB, { kind: 'forward', ...soon })
    for (let i = 0; i < 50; i++) {
      const next = budget.tryLend(MB / 5, { kind: 'check' })
      held?.()
      held = next
      expect(held).toBeDefined()
      await turn()
    }
    await expect(forward).resolves.toBeDefined()
  })

  test.each(['check', 'forward', 'normal', 'urgent'] as const)(
    'a large request of its kind is not passed by newer ones: %s',
    async (kind) => {
      const budget = new MemoryBudget(96 * MB)
      let held = await budget.lend(2 * MB, { kind })
      const large = budget.lend(90 * MB, { kind, ...soon })
      let got = false
      void large.then(() => (got = true))
      for (let i = 0; i < 20 && !got; i++) {
        const next = budget.tryLend(2 * MB, { kind })
        held()
        held = next ?? (() => {})
        await turn()
      }
      ;(await large)()
    },
  )

  test.each([
    ['check', 'forward'],
    ['forward', 'check'],
  ] as const)('"%s" has memory while "%s" holds and waits for its own', async (kind, other) => {
    const budget = new MemoryBudget(96 * MB)
    await budget.lend(30 * MB, { kind: other })
    const waiting = [30 * MB, MB, MB, MB].map((bytes) => budget.lend(bytes, { kind: other, ...soon }))
    expect(budget.tryLend(1.2 * MB, { kind })).toBeDefined()
    for (let i = 0; i < 10; i++) expect(budget.tryLend(MB / 50, { kind })).toBeDefined()
    await Promise.allSettled(waiting)
  })

  test.each([
    [14 * MB, 60 * MB],
    [1.5 * MB, 150 * MB],
    [30 * MB, 60 * MB],
    [30 * MB, 150 * MB],
  ])('that holds and waits for %i bytes each keeps no message of %i bytes waiting', async (slow, bytes) => {
    const budget = new MemoryBudget(96 * MB)
    const kinds = ['check', 'forward', 'check', 'forward'] as const
    const loans = kinds.map((kind) => budget.lend(slow, { kind, ...soon }))
    await turn()
    for (let i = 0; i < 3; i++) {
      const delivery = await budget.lend(bytes, soon)
      delivery()
      ;(await budget.lend(3 * MB, { kind: 'urgent', ...soon }))()
    }
    await Promise.allSettled(loans)
  })

  test('takes nothing from the messages that are being transferred', async () => {
    const budget = new MemoryBudget(96 * MB)
    const { free } = budget
    await budget.lend(50 * MB, { kind: 'check' })
    await budget.lend(50 * MB, { kind: 'forward' })
    expect(budget.free).toBe(free)
  })
})
