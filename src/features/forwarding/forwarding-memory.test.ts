import { expect, test, vi } from 'vitest'
import type { WaitingJob } from '#core/forwarding/forwarding.ts'
import { MemoryBudget } from '#core/memory-budget.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import { createForwardingSender } from './forwarding-sender.ts'

/** Runs jobs with 100 bytes each, one at a time. All memory for forwards is lent until `giveBack` is called. */
function setUp() {
  const memory = new MemoryBudget(1000)
  const giveBack = memory.tryLend(1000, { kind: 'forward' })
  const due = ['large', 'next'].map((id) => ({
    id,
    forwardingId: 'f',
    createdAt: 0,
    attempts: 0,
    size: 100,
    leasedUntil: 1e9,
  }))
  const events: string[] = []
  const forwarding = { id: 'f', state: 'on', confirmedAt: 0, endsAt: 1e9, destinationKey: 'd', createdAt: 0 }
  const deps = {
    jobs: {
      take: async () => due.splice(0, 1),
      reserve: async () => true,
      mail: async ({ id }: WaitingJob) => {
        events.push(`${id} read`)
        return new Uint8Array(100)
      },
      find: async () => ({ outcome: null }),
      postpone: async ({ id }: WaitingJob, dueAt: number, { isAttempt }: { isAttempt: boolean }) =>
        events.push(`${id} postponed ${isAttempt} ${dueAt}`),
      finish: async ({ id }: WaitingJob, outcome: string) => events.push(`${id} ${outcome}`),
      waiting: async () => 0,
    },
    forwardings: { list: async () => [forwarding] },
    addresses: { find: async () => ({ lifetime: 'subscription', private: false }) },
    make: async () => ({}),
    outbound: { send: async () => {} },
    memory,
    clock: () => 0,
    logger: { info: () => {}, error: () => {} },
    metrics: createMetrics(),
    random: () => 0,
    destinationLimits: { free: 1, subscription: 1 },
    timeouts: { make: 1000, send: 1000 },
    retryFor: 1e9,
    maxAtOnce: 1,
    maxPerDestination: 1,
  } as unknown as Parameters<typeof createForwardingSender>[0]
  const sender = createForwardingSender(deps)
  return { sender, events, giveBack, memory }
}

test('postpones a job that gets no memory in 20 seconds by a minute, without an attempt or its mail in memory', async () => {
  vi.useFakeTimers()
  try {
    const { sender, events, giveBack, memory } = setUp()
    sender.start()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(events).toEqual(['large postponed false 60000'])
    giveBack?.()
    await vi.advanceTimersByTimeAsync(10)
    expect(events).toEqual(['large postponed false 60000', 'next read', 'next sent'])
    expect(memory.used).toBe(0)
    await sender.stop(0)
  } finally {
    vi.useRealTimers()
  }
})
