import { expect, test } from 'vitest'
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
