import { expect, test, vi } from 'vitest'
import { MemoryBudget } from '#core/memory-budget.ts'
import { createPatientLoans } from './patient-loans.ts'

const KB = 1024
const from = (clientAddress: string) => ({ clientAddress })

/** Loans of the memory for one copy of a message. `most` is the memory of sender checks in KB. */
function setUp() {
  const memory = new MemoryBudget(960 * KB)
  const lend = createPatientLoans({ memory, kind: 'check', copies: 1 })
  return { memory, lend: (kilobytes: number, address: string) => lend(new Uint8Array(kilobytes * KB), from(address)) }
}

test('lets networks take turns', async () => {
  const { memory, lend } = setUp()
  const first = lend(100, '192.0.2.1')
  const order: string[] = []
  const waiting = ['192.0.2.2', '192.0.2.3', '198.51.100.1'].map(async (address) => {
    const giveBack = await lend(20, address)
    order.push(address)
    giveBack?.()
  })
  // The memory is used up, so each of them gets it after the one before.
  ;(await first)?.()
  await Promise.all(waiting)
  expect(order).toEqual(['192.0.2.2', '198.51.100.1', '192.0.2.3'])
  expect(memory.used).toBe(0)
})

test('limits the bytes that wait, and those of a network to what it leaves to others', async () => {
  vi.useFakeTimers()
  try {
    const { lend } = setUp()
    lend(100, '192.0.2.1')
    const waits = (kilobytes: number, address: string) => lend(kilobytes, address) instanceof Promise
    expect([waits(30, '192.0.2.1'), waits(30, '192.0.2.1'), waits(11, '192.0.2.1')]).toEqual([true, true, false])
    expect([waits(40, '198.51.100.1'), waits(21, '203.0.113.1'), waits(20, '203.0.113.1')]).toEqual([true, false, true])
    await vi.advanceTimersByTimeAsync(21_000)
    expect(waits(200, '203.0.113.1')).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('ends all requests after 20 seconds', async () => {
  vi.useFakeTimers()
  try {
    const { memory, lend } = setUp()
    const first = lend(100, '192.0.2.1')
    const waiting = Promise.all([lend(20, '192.0.2.1'), lend(20, '192.0.2.1'), lend(20, '198.51.100.1')])
    await vi.advanceTimersByTimeAsync(20_010)
    expect(await waiting).toEqual([undefined, undefined, undefined])
    ;(await first)?.()
    expect(memory.used).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
