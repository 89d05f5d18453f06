import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MINUTE, HOUR } from '#core/time.ts'
import { createPeriodic, type PeriodicDeps } from './periodic.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function periodic(deps: Partial<PeriodicDeps> = {}) {
  const leadership = { isLeader: true }
  const work = vi.fn<PeriodicDeps['work']>(async () => {})
  const error = vi.fn<(fields: object, message: string) => void>()
  const logger = { debug() {}, info() {}, warn() {}, error }
  const store = { isLeader: async () => leadership.isLeader }
  const made = createPeriodic({ store, clock: Date.now, logger, name: 'test', interval: HOUR, work, ...deps })
  return { ...made, leadership, work, error }
}

test('runs an interval after the start, and then at each interval', async () => {
  const { start, stop, work } = periodic()
  start()
  await vi.advanceTimersByTimeAsync(HOUR - 1)
  expect(work).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(5 * HOUR)
  expect(work).toHaveBeenCalledTimes(6)
  await stop()
  await vi.advanceTimersByTimeAsync(5 * HOUR)
  expect(work).toHaveBeenCalledTimes(6)
})

test('runs soon after the start with atStart', async () => {
  const { start, stop, work } = periodic({ atStart: true })
  start()
  await vi.advanceTimersByTimeAsync(5000)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(HOUR - MINUTE)
  expect(work).toHaveBeenCalledTimes(1)
  await stop()
})

test('does nothing on other nodes than the leader, and runs within seconds on a new leader', async () => {
  const onLeaderCheck = vi.fn<(ours: boolean) => void>()
  const { start, stop, leadership, work } = periodic({ onLeaderCheck })
  leadership.isLeader = false
  start()
  await vi.advanceTimersByTimeAsync(3 * HOUR)
  expect(work).not.toHaveBeenCalled()
  expect(onLeaderCheck).toHaveBeenLastCalledWith(false)
  leadership.isLeader = true
  await vi.advanceTimersByTimeAsync(5000)
  expect(work).toHaveBeenCalledTimes(1)
  expect(onLeaderCheck).toHaveBeenLastCalledWith(true)
  await stop()
})

test('runs on time after the clock is set back', async () => {
  const { start, stop, work } = periodic()
  start()
  await vi.advanceTimersByTimeAsync(HOUR + MINUTE)
  vi.setSystemTime(Date.now() - 24 * HOUR)
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(work).toHaveBeenCalledTimes(2)
  await stop()
})

test('postpones a run while mayRun returns false', async () => {
  const may = { run: false }
  const { start, stop, work } = periodic({ mayRun: async () => may.run })
  start()
  await vi.advanceTimersByTimeAsync(3 * HOUR)
  expect(work).not.toHaveBeenCalled()
  may.run = true
  await vi.advanceTimersByTimeAsync(5000)
  expect(work).toHaveBeenCalledTimes(1)
  await stop()
})

test('logs a failed run, and runs again an interval later', async () => {
  const work = vi.fn<PeriodicDeps['work']>(() => Promise.reject(new Error('no')))
  const { start, stop, error } = periodic({ work })
  start()
  await vi.advanceTimersByTimeAsync(2 * HOUR + MINUTE)
  expect(work).toHaveBeenCalledTimes(2)
  expect(error).toHaveBeenCalledTimes(2)
  expect(error.mock.lastCall?.[1]).toBe('test failed')
  await stop()
})

test('runs one at a time, and stop aborts a run and waits for it', async () => {
  const gate = Promise.withResolvers<void>()
  let aborted = false
  const work = vi.fn<PeriodicDeps['work']>(async (stopping) => {
    stopping.addEventListener('abort', () => (aborted = true))
    await gate.promise
  })
  const { start, stop } = periodic({ work })
  start()
  await vi.advanceTimersByTimeAsync(5 * HOUR)
  expect(work).toHaveBeenCalledTimes(1)
  let stopped = false
  const end = stop().then(() => (stopped = true))
  await vi.advanceTimersByTimeAsync(HOUR)
  expect([aborted, stopped]).toEqual([true, false])
  gate.resolve()
  await end
  expect(work).toHaveBeenCalledTimes(1)
})
