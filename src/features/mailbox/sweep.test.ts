import { expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { Store } from '#core/store.ts'
import { createSweep } from './sweep.ts'

const ROWS = 10

interface Situation {
  /** The steps that fail. */
  failing?: string[]
  /** How often a step finds as many rows as it may remove. Default: never. */
  full?: Record<string, number>
  /** What each step does. */
  during?: (name: string) => void
}

function sweepWith({ failing = [], full = {}, during }: Situation) {
  const done: string[] = []
  const counts: [string, number][] = []
  const left = new Map(Object.entries(full))
  const work = async (name: string): Promise<number> => {
    if (failing.includes(name)) throw new MayflyError('store_unavailable', name)
    done.push(name)
    during?.(name)
    const times = left.get(name) ?? 0
    left.set(name, times - 1)
    return times > 0 ? ROWS : 0
  }
  const step = (name: string) => () => work(name)
  const forget = (name: string) => ({ forget: step(name) })
  const store = {
    addresses: {
      removeExpired: async () => Array.from({ length: await work('addresses') }, (_, i) => `address ${i}`),
      forgetNames: step('names'),
    },
    messages: { removeExpired: async () => ({ addressIds: [], removed: await work('messages') }) },
    deliveries: { removeExpired: step('deliveries') },
    accounts: forget('accounts'),
    orders: forget('orders'),
    forwardingJobs: forget('jobs'),
    forwardings: forget('counts'),
    maintain: step('maintain'),
  } as unknown as Store
  const sweep = createSweep({
    store,
    bus: { publish() {} } as unknown as EventBus,
    clock: () => 0,
    clockWatch: { isSteady: async () => true } as never,
    logger: {} as never,
    metrics: { count: (name: string, _: object, by: number) => counts.push([name, by]), gauge() {} } as never,
    stepRows: ROWS,
    interval: 1000,
    keepOrders: 0,
    keepForwarded: 0,
  })
  return { sweep, done, counts }
}

const ALL = ['addresses', 'messages', 'deliveries', 'names', 'accounts', 'orders', 'jobs', 'counts', 'maintain']

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
  const { sweep, done, counts } = sweepWith({ full: { addresses: 3, messages: 2, jobs: 1 }, failing: ['deliveries'] })
  await expect(sweep.run()).rejects.toThrow('deliveries')
  const rounds = [['addresses', 'messages', 'jobs'], ['addresses', 'messages'], ['addresses'], ['maintain']]
  expect(done).toEqual([...ALL.filter((name) => name !== 'deliveries' && name !== 'maintain'), ...rounds.flat()])
  const total = (metric: string) => counts.reduce((sum, [name, by]) => sum + (name === metric ? by : 0), 0)
  expect([total('expired_addresses'), total('expired_messages')]).toEqual([3 * ROWS, 2 * ROWS])
})

test('a sweep leaves the store to the receiver after each full step', async () => {
  const times: { from: number; to: number }[] = []
  const { sweep } = sweepWith({
    full: { addresses: 2, messages: 2 },
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
