import { expect, test, vi } from 'vitest'
import type { Channel } from '#core/events.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { createSharedBus } from './shared-bus.ts'

const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }

/** Connected channels of `count` processes, without a network. */
function joined(count: number): (Channel & { gap(): void })[] {
  const listeners = Array.from({ length: count }, () => new Map<string, (items: readonly string[]) => void>())
  return listeners.map((own) => {
    const gaps: (() => void)[] = []
    return {
      send: (topic, item) => listeners.filter((each) => each !== own).forEach((each) => each.get(topic)?.([item])),
      onItems: (topic, listener) => void own.set(topic, listener),
      onGap: (listener) => void gaps.push(listener),
      gap: () => gaps.forEach((each) => each()),
    }
  })
}

test('notifies the listeners of an address in every process', async () => {
  const buses = joined(3).map((channel) => createSharedBus(channel, logger))
  const notified = buses.map((bus) => {
    const listener = vi.fn()
    bus.subscribe('a', listener)
    return listener
  })
  const other = vi.fn()
  buses[1]!.subscribe('b', other)
  buses[0]!.publish('a')
  await vi.waitFor(() => notified.forEach((listener) => expect(listener).toHaveBeenCalledTimes(1)), PATIENCE)
  expect(other).not.toHaveBeenCalled()
})

test('notifies every listener after a gap, however many there are', async () => {
  const [channel] = joined(1)
  const bus = createSharedBus(channel!, logger)
  const listeners = Array.from({ length: 1200 }, (_, i) => {
    const listener = vi.fn()
    bus.subscribe(`address ${i}`, listener)
    return listener
  })
  channel!.gap()
  await vi.waitFor(() => listeners.forEach((listener) => expect(listener).toHaveBeenCalledTimes(1)), PATIENCE)
})
