import { expect, test } from 'vitest'
import { MINUTE, DAY } from '#core/time.ts'
import { createClockWatch } from './clock-watch.ts'

/** A machine on which the service can restart. `metadata` survives a restart. */
function machine() {
  const time = { now: Date.UTC(2026, 0, 1), elapsed: 5000 }
  const metadata = new Map<string, string>()
  const store = {
    async ensureMetadata(key: string, value: string) {
      if (!metadata.has(key)) metadata.set(key, value)
      return metadata.get(key)!
    },
    async setMetadata(key: string, value: string) {
      metadata.set(key, value)
    },
  }
  const start = () => {
    const lines: string[] = []
    const log = (_fields: object, message: string): void => void lines.push(message)
    const logger = { debug: log, info: log, warn: log, error: log }
    return { ...createClockWatch({ store, clock: () => time.now, elapsed: () => time.elapsed, logger }), lines, store }
  }
  /** Advances the clock and the monotonic clock together. */
  const pass = (milliseconds: number): void => {
    time.now += milliseconds
    time.elapsed += milliseconds
  }
  return { time, metadata, start, pass }
}

test('trusts a clock that advances with time, however rarely it is checked', async () => {
  const { start, pass } = machine()
  const { isSteady, lines } = start()
  for (const passed of [0, 1, MINUTE, 90 * DAY]) {
    pass(passed)
    expect(await isSteady()).toBe(true)
  }
  expect(lines).toEqual([])
})

test.each([
  ['a minute', MINUTE, true],
  ['more than a minute', MINUTE + 1, false],
  ['a year', 365 * DAY, false],
])('after a jump of %s ahead, isSteady returns %j', async (_what, step, steady) => {
  const { start, time } = machine()
  const { isSteady } = start()
  await isSteady()
  time.now += step
  expect(await isSteady()).toBe(steady)
})

test('trusts the clock ten minutes after a jump ahead, and logs each step once', async () => {
  const { start, pass, time } = machine()
  const { isSteady, lines } = start()
  await isSteady()
  time.now += DAY
  expect(await isSteady()).toBe(false)
  pass(10 * MINUTE - 1)
  expect(await isSteady()).toBe(false)
  expect(lines).toHaveLength(1)
  pass(1)
  expect(await isSteady()).toBe(true)
  pass(DAY)
  expect(await isSteady()).toBe(true)
  expect(lines).toEqual([
    'the clock jumped ahead, or the service was stopped; expired data is not removed for 10 minutes',
    'the clock has been steady since its jump; expired data is removed again',
  ])
})

test('detects a jump before the first check', async () => {
  const { start, time } = machine()
  const { isSteady } = start()
  time.now += DAY
  expect(await isSteady()).toBe(false)
})

test('restarts the ten minutes after another jump', async () => {
  const { start, pass, time } = machine()
  const { isSteady } = start()
  await isSteady()
  time.now += DAY
  await isSteady()
  pass(9 * MINUTE)
  time.now += DAY
  expect(await isSteady()).toBe(false)
  pass(9 * MINUTE)
  expect(await isSteady()).toBe(false)
  pass(MINUTE)
  expect(await isSteady()).toBe(true)
})

test('trusts a corrected clock at once', async () => {
  const { start, pass, time } = machine()
  const { isSteady, lines } = start()
  await isSteady()
  time.now += DAY
  await isSteady()
  pass(MINUTE)
  time.now -= DAY
  expect(await isSteady()).toBe(true)
  expect(lines.at(-1)).toBe('the clock is correct again')
})

test('trusts a clock that is set back, but not when it is then set ahead again', async () => {
  const { start, pass, time } = machine()
  const { isSteady } = start()
  await isSteady()
  time.now -= DAY
  expect(await isSteady()).toBe(true)
  time.now += DAY
  expect(await isSteady()).toBe(false)
  pass(10 * MINUTE)
  expect(await isSteady()).toBe(true)
})

test.each([
  ['ten minutes', 10 * MINUTE, true],
  ['longer', 10 * MINUTE + 1, false],
])('after a stop of %s, isSteady returns %j', async (_what, pause, steady) => {
  const { start, pass, time } = machine()
  await start().isSteady()
  pass(pause)
  time.elapsed = 0
  const { isSteady } = start()
  expect(await isSteady()).toBe(steady)
  pass(10 * MINUTE)
  expect(await isSteady()).toBe(true)
})

test('does not trust the clock after a restart while it was not trusted', async () => {
  const { start, pass, time } = machine()
  const before = start()
  await before.isSteady()
  time.now += DAY
  expect(await before.isSteady()).toBe(false)
  pass(MINUTE)
  expect(await start().isSteady()).toBe(false)
})

test('compares the clock with the stored time, even if the first check is long after the start', async () => {
  const { metadata, start, pass, time } = machine()
  const { isSteady } = start()
  pass(30 * DAY)
  // Another node has stored the time.
  metadata.set('clock', String(time.now))
  time.now += DAY
  expect(await isSteady()).toBe(false)
  time.now -= DAY
  expect(await isSteady()).toBe(true)
})

test('reads the stored time again after a failure of the store', async () => {
  const { start } = machine()
  const { isSteady, store } = start()
  const { ensureMetadata } = store
  store.ensureMetadata = () => Promise.reject(new Error('busy'))
  await expect(isSteady()).rejects.toThrow('busy')
  store.ensureMetadata = ensureMetadata
  expect(await isSteady()).toBe(true)
})

test('several checks at once after a restart of some minutes trust the clock', async () => {
  const { start, pass, time } = machine()
  await start().isSteady()
  time.now += 5 * MINUTE
  const { isSteady, lines } = start()
  expect(await Promise.all([isSteady(), isSteady(), isSteady()])).toEqual([true, true, true])
  pass(MINUTE)
  expect(await isSteady()).toBe(true)
  expect(lines).toEqual([])
})

test('trusts a clock whose time cannot be stored, and stores it at the next check', async () => {
  const { metadata, start, pass, time } = machine()
  const { isSteady, lines, store } = start()
  const { setMetadata } = store
  store.setMetadata = () => Promise.reject(new Error('The disk is full'))
  expect(await isSteady()).toBe(true)
  expect(lines).toEqual(['the time could not be stored'])
  store.setMetadata = setMetadata
  pass(5000)
  expect(await isSteady()).toBe(true)
  expect(metadata.get('clock')).toBe(String(time.now))
})
