import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Channel } from '#core/events.ts'
import { HOUR } from '#core/time.ts'
import { createMemoryBus } from '#events/bus.ts'
import { createSharedBus } from '#events/shared-bus.ts'
import { createLogger } from '#telemetry/logger.ts'
import { type Grant, guard } from './guard.ts'

const logger = createLogger('error')

/** A grant that holds until `until` and counts how often it is checked. */
function granted(topic: string) {
  const state = { until: Date.now() + HOUR, asked: 0, fails: false }
  const grant: Grant = {
    topics: [topic],
    async validUntil() {
      state.asked++
      if (state.fails) throw new Error('The store is away')
      return state.until
    },
  }
  return { state, grant }
}

describe('a guard', () => {
  const bus = createMemoryBus(logger)
  const deps = { bus, clock: () => Date.now() }
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  test('ends with the first of its grants, when the bus announces it', async () => {
    const [one, two] = [granted('one'), granted('two')]
    const guarded = guard([one.grant, two.grant], deps)
    expect(await guarded.holds()).toBe(true)
    two.state.until = 0
    bus.publish('three')
    bus.publish('two')
    await vi.waitFor(() => expect(guarded.signal.aborted).toBe(true))
    expect(await guarded.holds()).toBe(false)
  })

  test('ends by the clock, and continues if the end has moved', async () => {
    const { state, grant } = granted('one')
    const guarded = guard([grant], deps)
    await vi.waitFor(() => expect(state.asked).toBe(1))
    state.until += HOUR
    await vi.advanceTimersByTimeAsync(HOUR + 1)
    expect([state.asked, guarded.signal.aborted]).toEqual([2, false])
    await vi.advanceTimersByTimeAsync(HOUR + 1)
    expect(guarded.signal.aborted).toBe(true)
  })

  test('checks again after events during a check, and if the store failed', async () => {
    const { state, grant } = granted('one')
    const guarded = guard([grant], deps)
    await vi.waitFor(() => expect(state.asked).toBe(1))
    state.fails = true
    bus.publish('one')
    await vi.waitFor(() => expect(state.asked).toBe(2))
    expect(guarded.signal.aborted).toBe(false)
    Object.assign(state, { fails: false, until: 0 })
    await vi.advanceTimersByTimeAsync(1000)
    expect(guarded.signal.aborted).toBe(true)
  })

  test('checks after a gap between the nodes', async () => {
    const gaps: (() => void)[] = []
    const channel: Channel = { send() {}, onItems() {}, onGap: (listener) => void gaps.push(listener) }
    const { state, grant } = granted('one')
    const guarded = guard([grant], { bus: createSharedBus(channel, logger), clock: () => Date.now() })
    await vi.waitFor(() => expect(state.asked).toBe(1))
    state.until = 0
    for (const gap of gaps) gap()
    await vi.waitFor(() => expect(guarded.signal.aborted).toBe(true))
  })

  test('stops checking when it is stopped', async () => {
    const { state, grant } = granted('one')
    const guarded = guard([grant], deps)
    await vi.waitFor(() => expect(state.asked).toBe(1))
    guarded.stop()
    bus.publish('one')
    await vi.advanceTimersByTimeAsync(2 * HOUR)
    expect(state.asked).toBe(1)
  })
})
