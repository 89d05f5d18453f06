import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MINUTE, HOUR } from '#core/time.ts'
import { createPeriodic, type PeriodicDeps } from './periodic.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function periodic(deps: Partial<PeriodicDeps> = {}) {
  const turn = { ours: true }
  const work = vi.fn<PeriodicDeps['work']>(async () => {})
  const error = vi.fn<(fields: object, message: string) => void>()
  const logger = { debug() {}, info() {}, warn() {}, error }
  const store = { isLeader: async () => turn.ours }
  const made = createPeriodic({ store, clock: Date.now, logger, name: 'test', interval: HOUR, work, ...deps })
  return { ...made, turn, work, error }
}

test('runs an interval after the start, and each interval from then on', async () => {
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

test('runs soon after the start where that is asked for', async () => {
  const { start, stop, work } = periodic({ atStart: true })
  start()
  await vi.advanceTimersByTimeAsync(5000)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(HOUR - MINUTE)
  expect(work).toHaveBeenCalledTimes(1)
  await stop()
})

test('a node without the turn does nothing, and takes over within seconds when it gets it', async () => {
  const onTurn = vi.fn<(ours: boolean) => void>()
  const { start, stop, turn, work } = periodic({ onTurn })
  turn.ours = false
  start()
  await vi.advanceTimersByTimeAsync(3 * HOUR)
  expect(work).not.toHaveBeenCalled()
  expect(onTurn).toHaveBeenLastCalledWith(false)
  turn.ours = true
  await vi.advanceTimersByTimeAsync(5000)
  expect(work).toHaveBeenCalledTimes(1)
  expect(onTurn).toHaveBeenLastCalledWith(true)
  await stop()
})

test('a clock that is set back holds nothing up', async () => {
  const { start, stop, work } = periodic()
  start()
  await vi.advanceTimersByTimeAsync(HOUR + MINUTE)
  vi.setSystemTime(Date.now() - 24 * HOUR)
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(work).toHaveBeenCalledTimes(2)
  await stop()
})

test('a run that may not be waits until it may', async () => {
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

test('a run that fails is logged, and the next comes in its time', async () => {
  const work = vi.fn<PeriodicDeps['work']>(() => Promise.reject(new Error('no')))
  const { start, stop, error } = periodic({ work })
  start()
  await vi.advanceTimersByTimeAsync(2 * HOUR + MINUTE)
  expect(work).toHaveBeenCalledTimes(2)
  expect(error).toHaveBeenCalledTimes(2)
  expect(error.mock.lastCall?.[1]).toBe('test failed')
  await stop()
})

test('one run at a time; a stop tells it, and waits for it', async () => {
  const gate = Promise.withResolvers<void>()
  let told = false
  const work = vi.fn<PeriodicDeps['work']>(async (stopping) => {
    stopping.addEventListener('abort', () => (told = true))
    await gate.promise
  })
  const { start, stop } = periodic({ work })
  start()
  await vi.advanceTimersByTimeAsync(5 * HOUR)
  expect(work).toHaveBeenCalledTimes(1)
  let stopped = false
  const end = stop().then(() => (stopped = true))
  await vi.advanceTimersByTimeAsync(HOUR)
  expect([told, stopped]).toEqual([true, false])
  gate.resolve()
  await end
  expect(work).toHaveBeenCalledTimes(1)
})
