import { describe, expect, test, vi } from 'vitest'
import type { MessageId } from '#core/ids.ts'
import type { RecipientRow } from '#core/mailbox/address.ts'
import { MemoryBudget } from '#core/memory-budget.ts'
import { createKeepCopies, type KeepCopiesDeps } from './keep-copies.ts'

const KB = 1024
const DAY = 86_400_000
const envelope = { mailFrom: 's@example.org', helo: 'x', clientAddress: '192.0.2.1', tls: false, receivedAt: 0 }

const mailboxes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    recipient: `r${i}@mayfly.test`,
    recipients: [`r${i}@mayfly.test`],
    maxBytes: 1e9,
    row: { id: `r${i}`, lifetime: 'day', publicKey: new Uint8Array(32), pushes: false } as unknown as RecipientRow,
  }))

/** Keeps copies in a store that takes a while. `most` is the largest number of copies in memory at a time. */
function setUp(limit: number, fails: () => boolean = () => false) {
  const memory = new MemoryBudget(limit)
  const counts = { now: 0, most: 0, stored: 0, retracted: 0, uncounted: 0, announced: [] as number[] }
  let bytes = 0
  const began = (): void => {
    counts.most = Math.max(counts.most, ++counts.now)
    if (counts.now * bytes > memory.used) counts.uncounted++
  }
  const turn = () => new Promise(setImmediate)
  let id = 0
  const deps = {
    memory,
    store: {
      messages: {
        async append(messages: unknown[]) {
          await turn()
          counts.now -= messages.length
          if (fails()) throw new Error('no store')
          counts.stored += messages.length
          return messages.map(() => 'stored')
        },
        retract: async (messages: unknown[]) => void (counts.retracted += messages.length),
      },
    },
    sealer: { seal: async (items: unknown[]) => turn().then(() => items.map(() => new Uint8Array(bytes))) },
    newMessageId: () => `m${id++}` as MessageId,
    forwardingQueue: { active: async () => void began(), queued: async () => undefined, release: async () => {} },
    group: { maxMessages: 200, maxBytes: 16 * KB * KB },
    summaries: { prepare: () => counts.announced.push(counts.stored) },
    storageRoom: async () => 1e9,
    operatorRoom: {},
    retention: { day: DAY },
    onKept: async () => {},
  } as unknown as KeepCopiesDeps
  const keepCopies = createKeepCopies(deps)
  const keep = (size: number, recipients: number, signal?: AbortSignal) => {
    bytes = size
    return keepCopies(envelope, mailboxes(recipients), Buffer.alloc(size, 'x'), signal)
  }
  return { memory, counts, keep }
}

describe('the memory of the copies of a message', () => {
  test.each([
    ['one message to 100 mailboxes', 1, 160 * KB, 100],
    ['16 messages to 100 mailboxes each', 16, 160 * KB, 100],
    ['200 small messages to 100 mailboxes each', 200, 8 * KB, 100],
    ['8 large messages to 12 mailboxes each', 8, 10_000 * KB, 12],
    ['100 messages to one mailbox each', 100, 1000 * KB, 1],
    ['4 messages that are larger than the memory', 4, 30_000 * KB, 3],
  ])('is counted and limited: %s', async (_, messages, size, recipients) => {
    const limit = 96 * KB * KB
    const { memory, counts, keep } = setUp(limit)
    await Promise.all(Array.from({ length: messages }, () => keep(size, recipients)))
    expect(counts).toMatchObject({ stored: messages * recipients, uncounted: 0 })
    expect(counts.most).toBeLessThanOrEqual(Math.max(1, limit / size / 5))
    expect(memory.used).toBe(0)
  })

  test('leaves room for other messages while one to many mailboxes is stored', async () => {
    const { keep } = setUp(24 * KB * KB)
    const order: string[] = []
    await Promise.all([keep(160 * KB, 100).then(() => order.push('many')), keep(KB, 1).then(() => order.push('one'))])
    expect(order).toEqual(['one', 'many'])
  })

  test('is given back if a copy cannot be stored', async () => {
    let appends = 0
    const { memory, counts, keep } = setUp(96 * KB * KB, () => ++appends > 1)
    await expect(keep(3000 * KB, 3)).rejects.toThrow('no store')
    expect([memory.used, counts.stored, counts.retracted]).toEqual([0, 1, 1])
    expect(counts.announced).toEqual([])
  })

  test('is not asked for without a mailbox', async () => {
    const { memory, keep } = setUp(10)
    expect(memory.take(10)).toBe(true)
    await memory.lend(1)
    expect(await keep(1000, 0)).toEqual([])
  })

  test('is needed for a part of the copies at a time, and all of them are announced at the end', async () => {
    const { counts, keep } = setUp(96 * KB * KB)
    await keep(3000 * KB, 3)
    expect(counts.announced).toEqual([3, 3, 3])
  })

  test('is no longer waited for when the client has left', async () => {
    const { memory, counts, keep } = setUp(10)
    const giveBack = await memory.lend(10)
    const client = new AbortController()
    const kept = keep(1000, 1, client.signal)
    client.abort(new Error('left'))
    await expect(kept).rejects.toThrow('left')
    giveBack()
    expect([memory.used, counts.stored]).toEqual([0, 0])
  })

  test('is not lent to a client that left before', async () => {
    const { counts, keep } = setUp(96 * KB * KB)
    await expect(keep(1000, 1, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
    expect(counts.stored).toBe(0)
  })

  test('is waited for no longer than a client waits', async () => {
    vi.useFakeTimers()
    try {
      const { memory, counts, keep } = setUp(10)
      await memory.lend(10)
      const kept = keep(1000, 1).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await kept).toMatchObject({ code: 'disk_full' })
      expect(counts.stored).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})
