import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MemoryBudget } from '#core/memory-budget.ts'
import { createSenderCheckLoans } from './sender-check-loans.ts'

const KB = 1024
const [A, B, C] = ['192.0.2.1', '198.51.100.1', '203.0.113.1'] as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Loans while all memory of checks is lent. Small messages have up to 75 KB, and 1200 KB of them may wait. */
function setUp() {
  const memory = new MemoryBudget(9600 * KB)
  // Its part, then its reserve.
  const held = [600, 100, 100].map((kilobytes) => memory.tryLend(kilobytes * KB, { kind: 'check' }))
  const loans = createSenderCheckLoans(memory)
  const lend = (kilobytes: number, clientAddress: string) => loans(new Uint8Array(kilobytes * KB), { clientAddress })
  /** Requests memory for some messages. Returns how many of them wait. */
  async function waiting(count: number, kilobytes: number, clientAddress: string): Promise<number> {
    let refused = 0
    for (let i = 0; i < count; i++) void lend(kilobytes, clientAddress).then(() => refused++)
    await vi.advanceTimersByTimeAsync(1)
    return count - refused
  }
  return { memory, lend, waiting, release: () => held.forEach((giveBack) => giveBack?.()) }
}

test('lets networks take turns', async () => {
  const { memory, lend, release } = setUp()
  const order: string[] = []
  const all = [A, '192.0.2.2', B].map(async (address) => {
    const giveBack = await lend(70, address)
    order.push(address)
    giveBack?.()
  })
  release()
  await Promise.all(all)
  expect(order).toEqual([A, B, '192.0.2.2'])
  expect(memory.used).toBe(0)
})

test('limits the bytes of small messages that wait, and those of a network to what it leaves to others', async () => {
  const { waiting } = setUp()
  expect(await waiting(20, 75, A)).toBe(8)
  expect(await waiting(20, 75, B)).toBe(4)
  expect(await waiting(20, 75, C)).toBe(2)
  await vi.advanceTimersByTimeAsync(21_000)
  expect(await waiting(20, 75, C)).toBe(8)
})

test.each([76, 700, 5000])('lets one large message of %i KB wait, and small ones beside it', async (kilobytes) => {
  const { waiting } = setUp()
  expect(await waiting(3, kilobytes, A)).toBe(1)
  expect(await waiting(1, kilobytes, B)).toBe(0)
  expect([await waiting(1, 75, A), await waiting(1, 75, B)]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await waiting(2, kilobytes, B)).toBe(1)
})

test('small messages do not let a second large one wait', async () => {
  const { waiting } = setUp()
  expect(await waiting(1, 76, A)).toBe(1)
  expect(await waiting(20, 75, B)).toBe(8)
  expect(await waiting(1, 76, C)).toBe(0)
})

test('ends all requests after 20 seconds', async () => {
  const { memory, lend, release } = setUp()
  const all = Promise.all([lend(20, A), lend(20, A), lend(500, B)])
  await vi.advanceTimersByTimeAsync(20_010)
  expect(await all).toEqual([undefined, undefined, undefined])
  release()
  expect(memory.used).toBe(0)
})
