import { expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { Store } from '#core/store.ts'
import { createSweep } from './sweep.ts'

const ROWS = 10
/** What a step removes: fewer rows than it may, because large ones end it early. */
const REMOVED = 3

interface Situation {
  /** The steps that fail. */
  failing?: string[]
  /** How often a step finds rows. Default: never. */
  found?: Record<string, number>
  /** What each step does. */
  during?: (name: string) => void
}

function sweepWith({ failing = [], found = {}, during }: Situation) {
  const done: string[] = []
  const counts: [string, number][] = []
  const left = new Map(Object.entries(found))
  const work = async (name: string): Promise<number> => {
    if (failing.includes(name)) throw new MayflyError('store_unavailable', name)
    done.push(name)
    during?.(name)
    const times = left.get(name) ?? 0
    left.set(name, times - 1)
    return times > 0 ? REMOVED : 0
  }
  const step = (name: string) => () => work(name)
  const forget = (name: string) => ({ forget: step(name) })
  const store = {
    isLeader: async () => true,
    addresses: {
      removeExpired: async () => Array.from({ length: await work('addresses') }, (_, i) => `address ${i}`),
      forgetNames: step('names'),
    },
    messages: { removeExpired: async () => ({ addressIds: [], removed: await work('messages') }) },
    deliveries: { removeExpired: step('deliveries') },
    accounts: forget('accounts'),
    orders: forget('orders'),
    subscriptions: { forgetEvents: step('events') },
    forwardingJobs: forget('jobs'),
    forwardings: forget('counts'),
    maintain: step('maintain'),
  } as unknown as Store
  const sweep = createSweep({
    store,
    bus: { publish() {} } as unknown as EventBus,
    clock: Date.now,
    clockWatch: { isSteady: async () => true } as never,
    logger: { error() {} } as never,
    metrics: { count: (name: string, _: object, by: number) => counts.push([name, by]), gauge() {} } as never,
    stepRows: ROWS,
    interval: 50,
    keepOrders: 0,
    keepForwarded: 0,
  })
  return { sweep, done, counts }
}

const ALL = [
  'addresses',
  'messages',
  'deliveries',
  'names',
  'accounts',
  'orders',
  'events',
  'jobs',
  'counts',
  'maintain',
]

test.each<{ failing: string[] }>([
  { failing: [] },
  { failing: ['addresses'] },
  { failing: ['messages', 'names'] },
  { failing: ['maintain'] },
])('a sweep whose steps $failing fail does all the others, and reports the first failure', async ({ failing }) => {
  const { sweep, done } = sweepWith({ failing })
  const outcome = await sweep.run().then(
    () => undefined,
    (error: Error) => error.message,
  )
  expect(done).toEqual(ALL.filter((name) => !failing.includes(name)))
  expect(outcome).toBe(failing[0])
})

test('a sweep takes turns, so that no kind of row waits for the end of another', async () => {
  const { sweep, done, counts } = sweepWith({ found: { addresses: 3, messages: 2, jobs: 1 }, failing: ['deliveries'] })
  await expect(sweep.run()).rejects.toThrow('deliveries')
  const rounds = [['addresses', 'messages', 'jobs'], ['addresses', 'messages'], ['addresses'], ['maintain']]
  expect(done).toEqual([...ALL.filter((name) => name !== 'deliveries' && name !== 'maintain'), ...rounds.flat()])
  const total = (metric: string) => counts.reduce((sum, [name, by]) => sum + (name === metric ? by : 0), 0)
  expect([total('expired_addresses'), total('expired_messages')]).toEqual([3 * REMOVED, 2 * REMOVED])
})

test('a sweep leaves the store to the receiver after each step that removed rows', async () => {
  const times: { from: number; to: number }[] = []
  const { sweep } = sweepWith({
    found: { addresses: 2, messages: 2 },
    during(name) {
      if (name !== 'addresses' && name !== 'messages') return
      const from = performance.now()
      while (performance.now() < from + 5);
      times.push({ from, to: performance.now() })
    },
  })
  await sweep.run()
  expect(times).toHaveLength(6)
  for (const [i, { from, to }] of times.slice(0, 4).entries()) {
    expect(times[i + 1]!.from - to).toBeGreaterThan(7 * (to - from))
  }
})

test('a sweep that stops does not wait for the pause after a step', async () => {
  const { promise: began, resolve } = Promise.withResolvers<void>()
  const { sweep, done } = sweepWith({
    found: { addresses: 1 },
    during() {
      resolve()
      // The pause takes eight times as long.
      for (const from = performance.now(); performance.now() < from + 500;);
    },
  })
  sweep.start()
  await began
  const stopped = performance.now()
  await sweep.stop()
  expect(performance.now() - stopped).toBeLessThan(2000)
  expect(done).toEqual(['addresses'])
})
