import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SealItem } from '#core/mailbox/box.ts'
import type { MessageRow, NewSummary } from '#core/mailbox/message-store.ts'
import { type Authentication, authenticationPending } from '#core/mailbox/message.ts'
import { MemoryBudget } from '#core/memory-budget.ts'
import { unpackSummary } from '#mail/sealing/body.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import type { OpenAddress } from './claims.ts'
import { createSummaries, type SummariesDeps } from './summaries.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const PASSED: Authentication = { spf: 'pass', dkim: 'pass', dmarc: 'pass' }
const message = { addressId: 'a', id: 'm', receivedAt: 0, expiresAt: 1, size: 9 } as const
const recipient = { publicKey: new Uint8Array(32), private: false, subscriptionId: null, keySubscriptionId: null }
const envelope = { mailFrom: '', recipient: '', helo: '', clientAddress: '', tls: false, receivedAt: 0 }

/** Summaries of a watched inbox. `stored` has the results of the checks in the summaries as they were stored. */
function watched(check: Promise<Authentication>) {
  const stored: string[] = []
  const publish = vi.fn<() => void>()
  const deps: Partial<Record<keyof SummariesDeps, unknown>> = {
    messages: {
      async attachSummaries(rows: NewSummary[]) {
        for (const { sealedSummary, onlyIfNone } of rows)
          if (!onlyIfNone || stored.length === 0) stored.push(unpackSummary(sealedSummary).authentication.dmarc)
        return { queued: 0, dropped: 0 }
      },
    },
    reader: { summarize: async () => ({ subject: 'hello', authentication: authenticationPending }), backlog: 0 },
    bus: { isWatched: () => true, publish },
    sealer: { seal: async (items: SealItem[]) => items.map(({ plaintext }) => plaintext) },
    checks: { check: () => check },
    memory: new MemoryBudget(1000),
    calls: { of: async () => undefined },
    metrics: createMetrics(),
    backlogMax: 1,
    patience: 200,
  }
  const summaries = createSummaries(deps as SummariesDeps)
  summaries.prepare(message, recipient, envelope, new Uint8Array(9))
  return { stored, publish, summaries }
}

test('stores and announces the summary of a watched inbox once if the sender is checked by then', async () => {
  const { stored, publish, summaries } = watched(Promise.resolve(PASSED))
  await vi.runAllTimersAsync()
  await summaries.settled()
  expect(stored).toEqual(['pass'])
  expect(publish).toHaveBeenCalledTimes(1)
})

test('stores and announces it without the check if that takes longer', async () => {
  const { promise, resolve } = Promise.withResolvers<Authentication>()
  const { stored, publish, summaries } = watched(promise)
  await vi.advanceTimersByTimeAsync(16)
  expect(stored).toEqual(['pending'])
  expect(publish).toHaveBeenCalledTimes(1)
  resolve(PASSED)
  await vi.runAllTimersAsync()
  await summaries.settled()
  expect(stored).toEqual(['pending', 'pass'])
  expect(publish).toHaveBeenCalledTimes(2)
})

test.each([10, 30])(
  'keeps a check of %i ms if the message is opened before its summary is stored',
  async (duration) => {
    const { promise, resolve } = Promise.withResolvers<Authentication>()
    setTimeout(resolve, duration, PASSED)
    const { stored, summaries } = watched(promise)
    await vi.advanceTimersByTimeAsync(4)
    const open = { keys: recipient, row: recipient } as unknown as OpenAddress
    const row = { ...message, sealedSummary: null } as MessageRow
    void summaries.whole(open, row, { raw: new Uint8Array(9), envelope })
    await vi.advanceTimersByTimeAsync(1)
    expect(stored).toEqual(['pending'])
    await vi.runAllTimersAsync()
    await summaries.settled()
    expect(stored.at(-1)).toBe('pass')
  },
)
