import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHeartbeats } from './heartbeats.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const INTERVAL = 25_000

test('calls each stream once per interval, for the first time after half of it at the earliest', () => {
  const heartbeats = createHeartbeats(INTERVAL)
  const beat = vi.fn<() => void>()
  heartbeats.join(beat)
  vi.advanceTimersByTime(INTERVAL / 2 - 1)
  expect(beat).not.toHaveBeenCalled()
  vi.advanceTimersByTime(INTERVAL / 2 + 1)
  expect(beat).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(3 * INTERVAL)
  expect(beat).toHaveBeenCalledTimes(4)
})

test('spreads streams that open at the same moment', () => {
  const heartbeats = createHeartbeats(INTERVAL)
  let beats = 0
  for (let i = 0; i < 1000; i++) heartbeats.join(() => void beats++)
  let most = 0
  for (let waited = 0; waited < INTERVAL; waited += INTERVAL / 100) {
    const before = beats
    vi.advanceTimersByTime(INTERVAL / 100)
    most = Math.max(most, beats - before)
  }
  expect(beats).toBe(1000)
  expect(most).toBeLessThan(25)
})

test('calls streams in time if the timer is late, and each of them once after a long pause', () => {
  const heartbeats = createHeartbeats(INTERVAL)
  const beats = Array.from({ length: 200 }, () => vi.fn<() => void>())
  for (const beat of beats) heartbeats.join(beat)
  const called = () => beats.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  const clock = vi.spyOn(performance, 'now')
  clock.mockReturnValue(performance.now() + INTERVAL)
  vi.advanceTimersByTime(INTERVAL / 100)
  expect(called()).toBe(200)
  clock.mockReturnValue(performance.now() + 10.5 * INTERVAL)
  vi.advanceTimersByTime(INTERVAL / 100)
  expect(called()).toBe(400)
  clock.mockRestore()
})

test('does not call a stream that left, and keeps no timer without streams', () => {
  const heartbeats = createHeartbeats(INTERVAL)
  const [left, stayed] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const leave = heartbeats.join(left)
  const end = heartbeats.join(stayed)
  leave()
  leave()
  vi.advanceTimersByTime(INTERVAL)
  expect(left).not.toHaveBeenCalled()
  expect(stayed).toHaveBeenCalledTimes(1)
  end()
  expect(vi.getTimerCount()).toBe(0)
})

test('calls all streams at once, also those that leave when they are called', () => {
  const heartbeats = createHeartbeats(INTERVAL)
  const leaves: (() => void)[] = []
  const beats = Array.from({ length: 300 }, (_, i) => vi.fn<() => void>(() => leaves[i]?.()))
  for (const beat of beats) leaves.push(heartbeats.join(beat))
  heartbeats.beatAll()
  expect(beats.map(({ mock }) => mock.calls.length)).toEqual(beats.map(() => 1))
  expect(vi.getTimerCount()).toBe(0)
})

test('a very short interval works', () => {
  const heartbeats = createHeartbeats(1)
  const beat = vi.fn<() => void>()
  heartbeats.join(beat)
  vi.advanceTimersByTime(10)
  expect(beat).toHaveBeenCalled()
})
