import { expect, test } from 'vitest'
import { MINUTE, DAY } from '#core/time.ts'
import { createClockWatch } from './clock-watch.ts'

/** What a restart keeps: the facts of the store. */
function machine() {
  const time = { now: Date.UTC(2026, 0, 1), elapsed: 5000 }
  const facts = new Map<string, string>()
  const store = {
    async ensureMetadata(fact: string, value: string) {
      if (!facts.has(fact)) facts.set(fact, value)
      return facts.get(fact)!
    },
    async setMetadata(fact: string, value: string) {
      facts.set(fact, value)
    },
  }
  const start = () => {
    const lines: string[] = []
    const log = (_fields: object, message: string): void => void lines.push(message)
    const logger = { debug: log, info: log, warn: log, error: log }
    return { ...createClockWatch({ store, clock: () => time.now, elapsed: () => time.elapsed, logger }), lines, store }
  }
  /** Time passes, and the clock with it. */
  const pass = (milliseconds: number): void => {
    time.now += milliseconds
    time.elapsed += milliseconds
  }
  return { time, facts, start, pass }
}

test('a clock that goes as time passes is steady, however long nobody asks', async () => {
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
])('a step of %s ahead: steady is %j', async (_what, step, steady) => {
  const { start, time } = machine()
  const { isSteady } = start()
  await isSteady()
  time.now += step
  expect(await isSteady()).toBe(steady)
})

test('a step ahead is taken when the clock has kept its time for ten minutes, and each is logged once', async () => {
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
    'The clock went ahead, or the service stood still: nothing that has expired is removed for 10 minutes',
    'The clock kept its time: what has expired is removed again',
  ])
})

test('a step before anybody asked is noticed', async () => {
  const { start, time } = machine()
  const { isSteady } = start()
  time.now += DAY
  expect(await isSteady()).toBe(false)
})

test('another step while it is in doubt begins the ten minutes anew', async () => {
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

test('a clock that is put right is steady at once', async () => {
  const { start, pass, time } = machine()
  const { isSteady, lines } = start()
  await isSteady()
  time.now += DAY
  await isSteady()
  pass(MINUTE)
  time.now -= DAY
  expect(await isSteady()).toBe(true)
  expect(lines.at(-1)).toBe('The clock is right again')
})

test('a step back is steady, and the way ahead again is in doubt', async () => {
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
])('a start after %s: steady is %j', async (_what, pause, steady) => {
  const { start, pass, time } = machine()
  await start().isSteady()
  pass(pause)
  time.elapsed = 0
  const { isSteady } = start()
  expect(await isSteady()).toBe(steady)
  pass(10 * MINUTE)
  expect(await isSteady()).toBe(true)
})

test('a start while the clock is in doubt leaves it in doubt', async () => {
  const { start, pass, time } = machine()
  const before = start()
  await before.isSteady()
  time.now += DAY
  expect(await before.isSteady()).toBe(false)
  pass(MINUTE)
  expect(await start().isSteady()).toBe(false)
})

test('a node that ran for long before it is first asked compares its clock with what the store last saw', async () => {
  const { facts, start, pass, time } = machine()
  const { isSteady } = start()
  pass(30 * DAY)
  // Another node told the store the time meanwhile.
  facts.set('clock', String(time.now))
  time.now += DAY
  expect(await isSteady()).toBe(false)
  time.now -= DAY
  expect(await isSteady()).toBe(true)
})

test('a store that fails once is asked again', async () => {
  const { start } = machine()
  const { isSteady, store } = start()
  const { ensureMetadata } = store
  store.ensureMetadata = () => Promise.reject(new Error('busy'))
  await expect(isSteady()).rejects.toThrow('busy')
  store.ensureMetadata = ensureMetadata
  expect(await isSteady()).toBe(true)
})
