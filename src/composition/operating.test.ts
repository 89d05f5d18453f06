import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HOUR } from '#core/time.ts'
import { SealError } from '#mail/sealing/open.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import type { Base } from './base.ts'
import { bindingWork } from './operating.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a node that never leads refuses unbound values within an hour after the leader has bound all', async () => {
  const key = randomBytes(32)
  const wrap = createWrap(key, 1)
  const moved = createWrap(key).wrap('email', 'zoe@example.com')
  let entry = 'no'
  const store = { isLeader: async () => false, ensureMetadata: async () => entry }
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const work = bindingWork({ store, wrap, clock: Date.now, logger, boundFrom: 1 } as unknown as Base)
  work.start()
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(wrap.unwrap('email', moved, 'another row')).toBe('zoe@example.com')
  entry = 'yes'
  await vi.advanceTimersByTimeAsync(HOUR + 5000)
  expect(() => wrap.unwrap('email', moved, 'another row')).toThrow(SealError)
  await work.stop()
})
