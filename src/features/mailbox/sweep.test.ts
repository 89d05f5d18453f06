import { expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { EventBus } from '#core/events.ts'
import type { Store } from '#core/store.ts'
import { createSweep } from './sweep.ts'

/** A sweep of a store that has nothing to remove and in which these steps fail. */
function sweepWith(...failing: string[]) {
  const done: string[] = []
  const step = (name: string, result: unknown) => async () => {
    if (failing.includes(name)) throw new MayflyError('store_unavailable', name)
    done.push(name)
    return result
  }
  const forget = (name: string) => ({ forget: step(name, 0) })
  const store = {
    addresses: { removeExpired: step('addresses', []), forgetNames: step('names', 0) },
    messages: { removeExpired: step('messages', { addressIds: [], removed: 0 }) },
    deliveries: { removeExpired: step('deliveries', 0) },
    accounts: forget('accounts'),
    orders: forget('orders'),
    forwardingJobs: forget('jobs'),
    forwardings: forget('counts'),
    maintain: step('maintain', undefined),
  } as unknown as Store
  const sweep = createSweep({
    store,
    bus: {} as EventBus,
    clock: () => 0,
    clockWatch: { isSteady: async () => true } as never,
    logger: {} as never,
    metrics: { count() {}, gauge() {} } as never,
    stepRows: 10,
    interval: 1000,
    keepOrders: 0,
    keepForwarded: 0,
  })
  return { sweep, done }
}

const ALL = ['addresses', 'messages', 'deliveries', 'names', 'accounts', 'orders', 'jobs', 'counts', 'maintain']

test.each<{ failing: string[] }>([
  { failing: [] },
  { failing: ['addresses'] },
  { failing: ['messages', 'names'] },
  { failing: ['maintain'] },
])('a sweep whose steps $failing fail does all the others, and reports the first failure', async ({ failing }) => {
  const { sweep, done } = sweepWith(...failing)
  const outcome = await sweep.run().then(
    () => undefined,
    (error: Error) => error.message,
  )
  expect(done).toEqual(ALL.filter((name) => !failing.includes(name)))
  expect(outcome).toBe(failing[0])
})
