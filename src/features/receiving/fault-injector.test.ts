import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { SmtpRefusal } from '#core/errors.ts'
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
  const DAY = 86_400_000
  const row = (id: string) => ({ id, sealedFaults: new Uint8Array(40) }) as unknown as FaultyRow

  function refusals(rule: object) {
    const time = { now: 0 }
    const wrap = { unwrapOrEmpty: () => JSON.stringify([{ at: 'rcpt', ...rule }]) }
    const { refuse } = createFaultInjector({ wrap, maxDelayedPerClient: 5, monotonic: () => time.now })
    /** Returns the reply to an attempt to deliver a message of `size` bytes. */
    const attempt = (size: number, { id = 'a', mailFrom = 'list@shop.example', shared = false } = {}): string => {
      try {
        refuse(row(id), 'rcpt', { shared, message: { mailFrom, size } })
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
    [
      { action: 'limit', perMinute: 0 },
      '421 4.7.0 Too many messages, try again later',
      '451 4.7.0 Too many messages, try again later',
    ],
  ])(
    'reaches only every other attempt for a message, so that its other recipients get it: %j',
    (rule, ends, continues) => {
      const { attempt } = refusals(rule)
      expect([1, 1, 1, 1].map((size) => attempt(size))).toEqual([ends, continues, ends, continues])
      expect([attempt(1), attempt(2), attempt(1, { mailFrom: '' }), attempt(1, { id: 'b' })]).toEqual(
        Array(4).fill(ends),
      )
      expect([attempt(2), attempt(1)]).toEqual([continues, continues])
    },
  )

  test('is repeated after a day', () => {
    const { attempt, time } = refusals({ action: 'close' })
    expect(attempt(1)).toBe('')
    time.now = DAY
    expect(attempt(1)).toBe('')
    time.now += DAY - 1
    expect(attempt(1)).toBe(LATER)
  })

  test('is not made up for by attempts that named others before', () => {
    const { attempt } = refusals({ action: 'close' })
    expect([attempt(1, { shared: true }), attempt(1), attempt(1, { shared: true }), attempt(1)]).toEqual([
      LATER,
      '',
      LATER,
      LATER,
    ])
  })
})
