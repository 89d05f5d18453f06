import { expect, test } from 'vitest'
import { createMessageSearch, type MessageSearchDeps } from './message-search.ts'

type Open = Parameters<MessageSearchDeps['summary']>[0]
type Row = Parameters<MessageSearchDeps['summary']>[1]
type Summary = NonNullable<Awaited<ReturnType<MessageSearchDeps['summary']>>>

const open = { row: { id: 'address', createdAt: 0 } } as Open
const rows = Array.from({ length: 40 }, (_, i) => ({ id: `id-${99 - i}`, receivedAt: 1 }) as Row)

/** Waits for a text that no message has. Calls `onText` for each message whose text is searched. */
async function searched(onText: (time: { now: number }) => void, signal: AbortSignal): Promise<number> {
  const time = { now: 1000 }
  let count = 0
  const search = createMessageSearch({
    messages: { list: async (_, { limit }) => rows.slice(0, limit), knows: async () => true },
    bus: { subscribe: () => () => {}, publish: () => {} } as unknown as MessageSearchDeps['bus'],
    clock: () => time.now,
    summary: async (_, row) =>
      ({ id: row.id, subject: 'hello', from: { name: '', address: '' } }) as unknown as Summary,
    bodyContains: async () => {
      count++
      onText(time)
      return false
    },
    holdsUntil: async () => Infinity,
    pageSize: 50,
    scanMax: 1000,
    minRetention: 0,
  })
  expect((await search.wait(open, { body: 'nothing' }, { seconds: 1, count: 1, signal })).messages).toEqual([])
  return count
}

test('a wait does not search texts beyond its end', async () => {
  expect(await searched((time) => (time.now += 300), new AbortController().signal)).toBe(4)
})

test('a wait does not search texts after its client has left', async () => {
  const client = new AbortController()
  expect(await searched(() => client.abort(), client.signal)).toBe(1)
})
