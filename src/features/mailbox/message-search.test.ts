import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { messageIds } from '#core/mailbox/message-id.ts'
import { createMessageSearch, type MessageSearchDeps, type WaitOptions } from './message-search.ts'

type Open = Parameters<MessageSearchDeps['summary']>[0]
type Row = Parameters<MessageSearchDeps['summary']>[1]
type Summary = NonNullable<Awaited<ReturnType<MessageSearchDeps['summary']>>>

const open = { row: { id: 'address', createdAt: 0 } } as Open
const rowOf = (i: number): Row => ({ id: `id-${1000 + i}`, receivedAt: 1 }) as Row

/** An inbox whose clock moves only when something is read. The text of a message has its id and the word `all`. */
function inbox({ messages = 40, listMs = 0, textMs = 300, pageSize = 50, subjectLength = 0 } = {}) {
  const state = { now: 1000, texts: 0, rows: Array.from({ length: messages }, (_, i) => rowOf(i)) }
  let publish = (): void => {}
  const { wait, list } = createMessageSearch({
    messages: {
      find: async (_, id) => state.rows.find((row) => row.id === id),
      async list(_, { limit, before, after }) {
        state.now += listMs
        const rows = state.rows.filter(({ id }) => (!before || id < before) && (!after || id > after))
        return rows.toReversed().slice(0, limit)
      },
      knows: async () => true,
    },
    bus: {
      subscribe(_: string, listener: () => void) {
        publish = listener
        return () => {}
      },
    } as unknown as MessageSearchDeps['bus'],
    clock: () => state.now,
    summary: async (_, { id, seen }) =>
      ({
        id,
        seen,
        subject: id.padEnd(subjectLength),
        from: { name: '', address: '' },
        recipients: [],
      }) as unknown as Summary,
    textSearch: (_, id) => ({
      async contains(wanted) {
        state.texts++
        state.now += textMs
        return wanted === 'all' || id === wanted
      },
      hasWords: async () => false,
    }),
    validUntil: async () => Infinity,
    pageSize,
    scanMax: 1000,
    minRetention: 0,
  })
  const never = new AbortController().signal
  return {
    state,
    store(i: number) {
      state.rows.push(rowOf(i))
    },
    deliver(i: number) {
      state.rows.push(rowOf(i))
      publish()
    },
    list: (query: object, signal?: AbortSignal) => list(open, query, signal),
    wait: (query: object, options: Partial<WaitOptions> = {}) =>
      wait(open, query, { seconds: 1, count: 1, signal: never, ...options }),
  }
}
const ids = ({ messages }: { messages: readonly { id: string }[] }) => messages.map(({ id }) => id)

test('a wait does not search texts beyond its end, and says where the next page begins', async () => {
  const { wait, state } = inbox()
  expect(await wait({ body: 'nothing' })).toMatchObject({ messages: [], next: rowOf(36).id })
  expect(state.texts).toBe(4)
})

test('a wait of no time searches all texts', async () => {
  const { wait, state } = inbox()
  expect(await wait({ body: 'nothing' }, { seconds: 0 })).toMatchObject({ messages: [], next: null })
  expect(state.texts).toBe(40)
})

test('a wait does not search texts after its client has left', async () => {
  const { wait, state } = inbox()
  const client = new AbortController()
  const waiting = wait({ body: 'nothing' }, { signal: client.signal })
  client.abort()
  await waiting
  expect(state.texts).toBeLessThanOrEqual(1)
})

test('a list of slow texts ends early, and says where the next page begins', async () => {
  const { list, wait, state } = inbox({ messages: 100 })
  const first = await list({ body: 'nothing' })
  expect(first).toEqual({ messages: [], next: rowOf(33).id })
  expect(state.texts).toBe(67)
  expect(await list({ body: 'nothing', before: first.next })).toEqual({ messages: [], next: null })
  expect(await wait({ body: 'nothing' }, { seconds: 0 })).toMatchObject(first)
})

test('a list does not search texts after its client has left', async () => {
  const { list, state } = inbox()
  await list({ body: 'nothing' }, AbortSignal.abort())
  expect(state.texts).toBe(0)
})

test('a slow store does not hide a message that is there', async () => {
  const { wait } = inbox({ messages: 1, listMs: 600 })
  expect(ids(await wait({ subject: 'id-' }))).toEqual([rowOf(0).id])
  expect(ids(await wait({ body: rowOf(0).id }))).toEqual([rowOf(0).id])
})

test('a wait for several messages searches the texts of earlier ones once', async () => {
  const { wait, state, deliver } = inbox({ messages: 3, textMs: 1 })
  const waiting = wait({ body: 'all' }, { seconds: 60, count: 4 })
  await expect.poll(() => state.texts).toBe(3)
  deliver(3)
  expect(ids(await waiting)).toEqual([3, 2, 1, 0].map((i) => rowOf(i).id))
  expect(state.texts).toBe(4)
})

test('a wait for several messages neither counts nor returns deleted ones, and returns current marks', async () => {
  const { wait, state, deliver } = inbox({ messages: 2, textMs: 1 })
  let done = false
  const waiting = wait({ body: 'all' }, { seconds: 60, count: 3 }).finally(() => (done = true))
  await expect.poll(() => state.texts).toBe(2)
  state.rows.shift()
  state.rows[0] = { ...state.rows[0]!, seen: true }
  deliver(2)
  await expect.poll(() => state.texts).toBe(3)
  await new Promise(setImmediate)
  expect(done).toBe(false)
  deliver(3)
  const { messages } = await waiting
  expect(messages).toMatchObject([{ id: rowOf(3).id }, { id: rowOf(2).id }, { id: rowOf(1).id, seen: true }])
})

test('a search that is cut off by the end of its wait returns the position of the first unsearched message', async () => {
  const { wait, state, deliver } = inbox({ messages: 1, textMs: 100 })
  const waiting = wait({ body: 'nothing' }, { seconds: 1, count: 1 })
  await expect.poll(() => state.texts).toBe(1)
  for (let i = 1; i < 30; i++) state.rows.push(rowOf(i))
  deliver(30)
  // From 1.1 s on: ten texts with the first.
  expect(await waiting).toMatchObject({ messages: [], next: rowOf(22).id })
})

test('a wait searches no further texts once enough messages match, and says where the rest begins', async () => {
  const { wait, state } = inbox({ messages: 10, textMs: 1 })
  const page = await wait({ body: 'all' }, { count: 2 })
  expect([ids(page), page.next]).toEqual([[rowOf(9).id, rowOf(8).id], rowOf(8).id])
  expect(state.texts).toBe(2)
})

test('a wait without texts to search returns all messages that match', async () => {
  const { wait } = inbox({ messages: 10 })
  expect(ids(await wait({ subject: 'id-' }))).toHaveLength(10)
})

test('regular expressions that take long end a page early, and the next page goes on', async () => {
  const { list, wait, deliver } = inbox({ messages: 300, subjectLength: 998 })
  const newest = '/Your code is|Your link is|id-(1299|1300)/i'
  expect(ids(await list({ subject: newest }))).toEqual([rowOf(299).id])
  expect(ids(await wait({ subject: newest }))).toEqual([rowOf(299).id])
  const oldest = { subject: '/Your code is|Your link is|id-1000/i' }
  const pages = [await list(oldest)]
  while (pages.at(-1)!.next) pages.push(await list({ ...oldest, before: pages.at(-1)!.next }))
  expect(pages.flatMap(ids)).toEqual([rowOf(0).id])
  const waiting = wait({ subject: '/Your code is|Your link is|id-1300/i' }, { seconds: 60 })
  await new Promise(setImmediate)
  deliver(300)
  expect(ids(await waiting)).toEqual([rowOf(300).id])
})

test('a wait for more messages than a page has waits for all of them', async () => {
  const { wait, deliver } = inbox({ messages: 12, pageSize: 5 })
  const newest = (from: number, count: number) => Array.from({ length: count }, (_, i) => rowOf(from - i).id)
  const all = await wait({ subject: 'id-' }, { seconds: 60, count: 12 })
  expect([ids(all), all.next]).toEqual([newest(11, 12), null])
  const some = await wait({}, { seconds: 60, count: 7 })
  expect([ids(some), some.next]).toEqual([newest(11, 7), rowOf(5).id])
  const waiting = wait({}, { seconds: 60, count: 14 })
  for (const i of [12, 13]) {
    await new Promise(setImmediate)
    deliver(i)
  }
  expect(ids(await waiting)).toEqual(newest(13, 14))
})

test('a wait looks once more when its time is over, for messages that nobody has announced', async () => {
  const { wait, store, state } = inbox({ messages: 1, textMs: 1 })
  const waits = [{ subject: rowOf(1).id }, { body: rowOf(1).id }].map((query) => wait(query))
  const short = wait({}, { count: 3 })
  await expect.poll(() => state.texts).toBe(1)
  store(1)
  for (const page of await Promise.all(waits)) expect(ids(page)).toEqual([rowOf(1).id])
  expect(ids(await short)).toEqual([rowOf(1).id, rowOf(0).id])
})

test('a long wait looks again in between', async () => {
  vi.useFakeTimers()
  try {
    const { wait, store, state } = inbox({ messages: 0 })
    const waiting = wait({}, { seconds: 60 })
    await vi.advanceTimersByTimeAsync(1000)
    store(0)
    state.now += 25_000
    await vi.advanceTimersByTimeAsync(25_000)
    expect(ids(await waiting)).toEqual([rowOf(0).id])
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  [50, 50],
  [55, 55],
  [60, 55],
])('a wait of %i s ends after %i s, also if it has looked in between', async (seconds, held) => {
  vi.useFakeTimers()
  try {
    const { wait, state } = inbox({ messages: 0 })
    let done = false
    const waiting = wait({}, { seconds }).finally(() => (done = true))
    await vi.advanceTimersByTimeAsync(0)
    for (let second = 0; second < held; second++) {
      expect(done).toBe(false)
      state.now += 1000
      await vi.advanceTimersByTimeAsync(1000)
    }
    expect(done).toBe(true)
    expect(await waiting).toMatchObject({ messages: [], seconds: held })
  } finally {
    vi.useRealTimers()
  }
})

test('a message that took long to arrive does not hide earlier ones from `since`', async () => {
  const { list, wait, state } = inbox({ messages: 0 })
  let stored = 0
  const newId = messageIds(() => stored, randomBytes)
  const store = (receivedAt: number, storedAt: number) => {
    stored = storedAt
    const id = newId()
    state.rows.push({ id, receivedAt } as Row)
    return id
  }
  store(900, 950)
  const awaited = store(1100, 1100)
  store(995, 1200)
  expect(ids(await list({ since: 1000 }))).toEqual([awaited])
  expect(ids(await wait({ since: 1000 }))).toEqual([awaited])
})

test('messages before `since` are not opened', async () => {
  const { list, state } = inbox({ messages: 0 })
  for (const time of [1000, 2000, 3000])
    state.rows.push({ id: messageIds(() => time, randomBytes)(), receivedAt: time } as Row)
  await list({ since: 2500, body: 'all' })
  expect(state.texts).toBe(1)
})
