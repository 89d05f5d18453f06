import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { SmtpRefusal } from '#core/errors.ts'
import type { FaultStage } from '#core/mailbox/fault.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { createFaultInjector, type FaultyRow } from './fault-injector.ts'

function injector(maxDelayedPerClient: number) {
  const rules = [{ at: 'rcpt', action: 'delay', seconds: 1, first: 1 }]
  const wrap = { unwrapOrEmpty: () => JSON.stringify(rules) }
  const { delay } = createFaultInjector({ wrap, maxDelayedPerClient })
  /** Returns what became of an attempt so far. */
  return (address: number) => {
    const attempt = { state: 'delayed' }
    const row = { id: `address-${address}`, sealedFaults: new Uint8Array(40) } as unknown as FaultyRow
    delay(row, 'rcpt', { from: '127.0.0.1' }).then(
      () => (attempt.state = 'done'),
      (error: unknown) => (attempt.state = error instanceof SmtpRefusal ? error.reply : String(error)),
    )
    return attempt
  }
}
const states = (attempts: { state: string }[]) => attempts.map(({ state }) => state)
const fill = (count: number, state: string): string[] => Array.from({ length: count }, () => state)
const REFUSED = '451 4.3.2 Too many delayed sessions, try again later'

test('an attempt that is refused because too many wait does not count', async () => {
  const attempt = injector(5)
  const attempts = Array.from({ length: 8 }, (_, i) => attempt(i))
  await setImmediate()
  expect(states(attempts)).toEqual([...fill(5, 'delayed'), ...fill(3, REFUSED)])
  await expect.poll(() => states(attempts.slice(0, 5)), { timeout: PATIENCE }).toEqual(fill(5, 'done'))
  const again = [attempt(7), attempt(0)]
  await setImmediate()
  expect(states(again)).toEqual(['delayed', 'done'])
})

test('without a limit per client, as on localhost, 50 sessions of one client are delayed', async () => {
  const attempt = injector(Infinity)
  const attempts = Array.from({ length: 51 }, (_, i) => attempt(i))
  await setImmediate()
  expect(states(attempts)).toEqual([...fill(50, 'delayed'), REFUSED])
})

describe('a refusal that ends the connection', () => {
  const LATER = '451 4.3.0 Requested by the owner of the address'
  const HOUR = 3_600_000
  const OVER_LIMIT = '7.0 Too many messages, try again later'

  function refusals(rule: object) {
    const time = { now: 1000 }
    const wrap = { unwrapOrEmpty: () => JSON.stringify([rule]) }
    const { refuse } = createFaultInjector({ wrap, maxDelayedPerClient: 5, monotonic: () => time.now })
    /** Returns the reply to an attempt. `version` changes each time the rules are set. */
    const attempt = ({ id = 'a', version = 0, stage = 'rcpt' as FaultStage, shared = false } = {}): string => {
      try {
        refuse({ id, sealedFaults: new Uint8Array(40).fill(version) } as unknown as FaultyRow, stage, shared)
        return 'accepted'
      } catch (error) {
        return (error as SmtpRefusal).reply
      }
    }
    return { attempt, time }
  }

  test.each([
    [{ action: 'close' }, '', LATER],
    [{ action: 'reject', code: 421, text: 'Slow down' }, '421 4.0.0 Slow down', '451 4.0.0 Slow down'],
    [{ action: 'limit', perMinute: 0 }, `421 4.${OVER_LIMIT}`, `451 4.${OVER_LIMIT}`],
  ])('does so for an hour after the first one, until the rules are set again: %j', (rule, ends, continues) => {
    const { attempt, time } = refusals({ at: 'rcpt', ...rule })
    expect([attempt(), attempt(), attempt({ shared: true }), attempt()]).toEqual([ends, ends, continues, ends])
    time.now += HOUR - 1
    expect([attempt(), attempt({ id: 'b' })]).toEqual([ends, ends])
    time.now += 1
    expect([attempt(), attempt(), attempt({ id: 'b' })]).toEqual([continues, continues, ends])
    expect([attempt({ version: 1 }), attempt({ version: 1 })]).toEqual([ends, ends])
    time.now += 30 * 24 * HOUR
    expect([attempt(), attempt({ version: 1 }), attempt({ version: 2 })]).toEqual([continues, continues, ends])
  })

  test('works in each run of a test that sets the rules and sends to the same address', () => {
    const { attempt, time } = refusals({ at: 'rcpt', action: 'close', first: 1 })
    for (let version = 1; version <= 4; version++) {
      expect([attempt({ version }), attempt({ version })]).toEqual(['', 'accepted'])
      time.now += version * HOUR
    }
  })

  test('counts the hour only from an attempt that ended the connection', () => {
    const { attempt, time } = refusals({ at: 'rcpt', action: 'close' })
    expect(attempt({ shared: true })).toBe(LATER)
    time.now += 2 * HOUR
    expect(attempt()).toBe('')
  })

  test('always does so at a message, which has no other recipients', () => {
    const { attempt, time } = refusals({ at: 'data', action: 'close' })
    expect(attempt({ stage: 'data' })).toBe('')
    time.now += 2 * HOUR
    expect(attempt({ stage: 'data' })).toBe('')
  })
})
