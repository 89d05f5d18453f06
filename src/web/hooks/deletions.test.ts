import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, leave } from '../api/api.ts'
import { getBars, setBars } from '../app/bars.ts'
import type { Failure } from './deletions.ts'

const page = new EventTarget()
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
const { commitAll, listenForFailures, postpone, undo, UNDO } = await import('./deletions.ts')

const ids = (count: number, name = 'm') => Array.from({ length: count }, (_, i) => `${name}${i}`)
const hidden = () => [...getBars().pending]
let failures: Failure[]

beforeEach(() => {
  vi.useFakeTimers()
  failures = []
  listenForFailures((failure) => failures.push(failure))
  setBars({ pending: new Set() })
})
afterEach(() => vi.useRealTimers())

/** A server that keeps a call until it is told to answer it. */
function slowServer() {
  const calls: { ids: string[]; keepalive: boolean; done: () => void; fail: (error: Error) => void }[] = []
  const commit = (some: string[], keepalive: boolean) =>
    new Promise<void>((done, fail) => calls.push({ ids: some, keepalive, done, fail }))
  return { calls, commit }
}

test('keeps a deleted message hidden, because a list may have been loaded before', async () => {
  const commit = vi.fn(async () => {})
  postpone(['a'], commit)
  await vi.advanceTimersByTimeAsync(UNDO)
  expect(commit.mock.calls).toEqual([[['a'], false]])
  expect([hidden(), getBars().undoable]).toEqual([['a'], []])
})

test('shows a message again after Undo, and after a failure', async () => {
  postpone(['a'], async () => {})
  undo()
  expect(hidden()).toEqual([])
  postpone(['b'], async () => Promise.reject(new ApiError('offline')))
  await vi.advanceTimersByTimeAsync(UNDO + 5000)
  expect([hidden(), failures]).toEqual([[], [{ count: 1, problem: { code: 'offline' } }]])
})

test('deletes many messages one hundred after the other, and waits for a limit', async () => {
  let free = 2
  const sent: number[] = []
  postpone(ids(950), async (some) => {
    if (free-- <= 0) {
      setTimeout(() => (free = 2), 900)
      throw new ApiError('too_many_requests', 1)
    }
    sent.push(some.length)
  })
  commitAll()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([sent, failures, hidden().length]).toEqual([[...Array.from({ length: 9 }, () => 100), 50], [], 950])
})

test('reports only what is left, and does not wait for a long limit', async () => {
  let calls = 0
  const all = ids(250)
  postpone(all, async () => {
    if (++calls > 1) throw new ApiError('too_many_requests', 3600)
  })
  commitAll()
  await vi.advanceTimersByTimeAsync(1)
  expect(calls).toBe(2)
  expect(failures).toEqual([{ count: 150, problem: { code: 'too_many_requests', retryAfter: 3600 } }])
  expect(hidden()).toEqual(all.slice(0, 100))
})

/** Deletes 300 messages. The server answers the part of message `at` so many times with `error`. Returns the number of calls. */
async function deleteWith(error: Error, times: number, at = 'm100'): Promise<number> {
  let calls = 0
  postpone(ids(300), async (some) => {
    calls++
    if (some.includes(at) && times-- > 0) throw error
  })
  commitAll()
  await vi.advanceTimersByTimeAsync(60_000)
  return calls
}

test.each(['offline', 'unavailable', 'store_unavailable', 'internal'] as const)(
  'goes on after a failure that may pass, and tries that part again: %s',
  async (code) => {
    expect(await deleteWith(new ApiError(code), 2)).toBe(5)
    expect([failures, hidden().length]).toEqual([[], 300])
  },
)

test.each([[], [1], [60]])('reports only the part that always fails: Retry-After %s', async (...retryAfter) => {
  expect(await deleteWith(new ApiError('unavailable', ...retryAfter), Infinity)).toBe(5)
  expect(failures).toMatchObject([{ count: 100, problem: { code: 'unavailable' } }])
  expect(hidden()).toEqual([...ids(100), ...ids(300).slice(200)])
})

test('sends nothing more after a failure that will not pass', async () => {
  expect(await deleteWith(new ApiError('unauthorized'), Infinity)).toBe(2)
  expect(failures).toEqual([{ count: 200, problem: { code: 'unauthorized' } }])
})

test('gives up when calls get no response for long', async () => {
  let calls = 0
  postpone(
    ids(1000),
    async () =>
      new Promise((_, fail) => {
        calls++
        setTimeout(() => fail(new ApiError('offline')), 15_000)
      }),
  )
  commitAll()
  await vi.advanceTimersByTimeAsync(15_000)
  expect([calls, failures]).toEqual([1, [{ count: 1000, problem: { code: 'offline' } }]])
})

test('sends all that is left at once when the page is left', async () => {
  const { calls, commit } = slowServer()
  postpone(ids(250), commit)
  commitAll()
  await vi.advanceTimersByTimeAsync(0)
  postpone(['later'], commit)
  expect(calls.map((each) => [each.ids.length, each.keepalive])).toEqual([[100, false]])
  page.dispatchEvent(new Event('pagehide'))
  await vi.advanceTimersByTimeAsync(0)
  expect(calls.slice(1).map((each) => [each.ids.length, each.keepalive])).toEqual([
    [100, true],
    [100, true],
    [50, true],
    [1, true],
  ])
  // The browser ended the request of the page that was left.
  calls[0]?.fail(new ApiError('offline'))
  for (const { done } of calls) done()
  await vi.advanceTimersByTimeAsync(0)
  expect([calls.length, failures, hidden().length]).toEqual([5, [], 251])
})

test('a new address is created after the deletions', async () => {
  const { calls, commit } = slowServer()
  const fetched = vi.fn(async () => new Response('{}'))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('document', { querySelector: () => null })
  postpone(ids(150), commit)
  const left = leave('POST', '/addresses')
  for (const i of [0, 1]) {
    await vi.advanceTimersByTimeAsync(0)
    expect(fetched).not.toHaveBeenCalled()
    calls[i]?.done()
  }
  await left
  expect(fetched).toHaveBeenCalledTimes(1)
})
