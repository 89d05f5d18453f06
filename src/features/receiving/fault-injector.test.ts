import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
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
