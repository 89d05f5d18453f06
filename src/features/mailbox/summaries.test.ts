import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SealItem } from '#core/mailbox/box.ts'
import type { MessageRow, NewSummary } from '#core/mailbox/message-store.ts'
import { type Authentication, authenticationPending } from '#core/mailbox/message.ts'
import { MemoryBudget } from '#core/memory-budget.ts'
import { unpackSummary } from '#mail/sealing/body.ts'
import { createMetrics } from '#telemetry/metrics.ts'
import type { OpenAddress } from './claims.ts'
import { createSummaries, type SummariesDeps } from './summaries.ts'
import type { WebhookAnnouncer } from './summarized-message.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const PASSED: Authentication = { spf: 'pass', dkim: 'pass', dmarc: 'pass' }
const message = { addressId: 'a', id: 'm', receivedAt: 0, expiresAt: 1, size: 9 } as const
const recipient = { publicKey: new Uint8Array(32), private: false, subscriptionId: null, keySubscriptionId: null }
const envelope = { mailFrom: '', recipient: '', helo: '', clientAddress: '', tls: false, receivedAt: 0 }

/** Summaries of a watched inbox. `stored` has the results of the checks in the summaries as they were stored. */
function watched(check: Promise<Authentication>) {
  const set = setUp(check)
  set.summaries.prepare(message, recipient, envelope, new Uint8Array(9))
  return set
}

function setUp(check: Promise<Authentication>) {
  const stored: string[] = []
  const memory = new MemoryBudget(1000)
  const summarize = vi.fn<(...args: unknown[]) => Promise<object>>(async () => ({
    subject: 'hello',
    authentication: authenticationPending,
  }))
  const checkSender = vi.fn(() => check)
  const callsFor = vi.fn<WebhookAnnouncer['callsFor']>(async () => undefined)
  const publish = vi.fn<() => void>()
  const isWatched = vi.fn<(id: string) => boolean>(() => true)
  const deps: Partial<Record<keyof SummariesDeps, unknown>> = {
    messages: {
      async attachSummaries(rows: NewSummary[]) {
        for (const { sealedSummary, onlyIfNone } of rows)
          if (!onlyIfNone || stored.length === 0) stored.push(unpackSummary(sealedSummary).authentication.dmarc)
        return { queued: 0, dropped: 0 }
      },
    },
    reader: { summarize, backlog: 0 },
    bus: { isWatched, publish },
    sealer: { seal: async (items: SealItem[]) => items.map(({ plaintext }) => plaintext) },
    checks: { check: checkSender },
    memory,
    announcer: { callsFor },
    metrics: createMetrics(),
    backlogMax: 1,
    patience: 200,
  }
  const summaries = createSummaries(deps as SummariesDeps)
  return { stored, publish, isWatched, summaries, memory, summarize, checkSender, callsFor }
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
    void summaries.complete(open, row, { raw: new Uint8Array(9), envelope })
    await vi.advanceTimersByTimeAsync(1)
    expect(stored).toEqual(['pending'])
    await vi.runAllTimersAsync()
    await summaries.settled()
    expect(stored.at(-1)).toBe('pass')
  },
)

describe('the copies of one message', () => {
  const owners = [
    { ...recipient, subscriptionId: 's' },
    { ...recipient, private: true },
    ...Array.from({ length: 98 }, () => recipient),
  ] as const

  /** Prepares a copy for each owner. Only a few of them fit into the memory. */
  function prepareAll({ summaries }: ReturnType<typeof setUp>) {
    const raw = new Uint8Array(50)
    for (const [i, owner] of owners.entries()) {
      const own = { ...message, addressId: `a${i}`, id: `m${i}` } as unknown as typeof message
      summaries.prepare(own, owner, { ...envelope, recipient: `r${i}@mayfly.test` }, raw)
    }
  }

  test('are read and checked once, and all of them are announced to their own recipient', async () => {
    const set = setUp(Promise.resolve(PASSED))
    prepareAll(set)
    await vi.runAllTimersAsync()
    await set.summaries.settled()
    expect([set.summarize.mock.calls.length, set.checkSender.mock.calls.length]).toEqual([1, 1])
    const announced = set.callsFor.mock.calls.map(([{ summary }]) => summary.to)
    expect(announced).toEqual(owners.flatMap((owner, i) => (owner.private ? [] : [`r${i}@mayfly.test`])))
    expect(set.memory.used).toBe(0)
  })

  test('have the priority of a watched inbox if one of them is in one', async () => {
    const set = setUp(Promise.resolve(PASSED))
    set.isWatched.mockImplementation((id) => id === 'a7')
    prepareAll(set)
    await vi.runAllTimersAsync()
    expect(set.summarize.mock.calls).toMatchObject([[{}, {}, { waited: true }]])
  })

  test('are not read, and their owners are told, if there is no memory at once', async () => {
    const set = setUp(Promise.resolve(PASSED))
    const giveBack = set.memory.tryLend(1000)
    prepareAll(set)
    expect(set.publish).toHaveBeenCalledTimes(owners.length)
    giveBack?.()
    await vi.runAllTimersAsync()
    await set.summaries.settled()
    expect(set.summarize).not.toHaveBeenCalled()
    expect(set.callsFor).not.toHaveBeenCalled()
    expect(set.memory.used).toBe(0)
  })
})
