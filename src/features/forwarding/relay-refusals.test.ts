import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { HOUR, MINUTE } from '#core/time.ts'
import { type SenderFixture, mailOf, openSenderFixture } from '#test/support/fixtures/forwarding-sender.ts'
import type { Behavior } from '#test/support/mail/relay.ts'

let fixture: SenderFixture
let destinations = 0
beforeAll(async () => {
  fixture = await openSenderFixture()
})
afterAll(() => fixture.close())
afterEach(() => fixture.later(HOUR))

/** Delivers a message to a new address that forwards to a new destination. Resolves after the first attempt. */
async function oneMail(reply: Behavior, step: 'RCPT' | 'DATA' = 'RCPT') {
  const { open, forwarding } = await fixture.forwarded(`reader-${++destinations}@real.example`)
  fixture.relay.behave = (at) => (at === step ? reply : 'accept')
  await fixture.deliver([open.address], mailOf('One'))
  const job = async () => (await fixture.store.forwardingJobs.log(open.row.id, { limit: 1 }))[0]
  await expect.poll(async () => (await job())?.outcome ?? ((await job())?.attempts || null)).not.toBeNull()
  return {
    outcome: async () => (await job())?.outcome,
    bounces: async () => (await fixture.store.forwardings.find(forwarding.id))?.bounces,
  }
}
const errors = (): number => fixture.lines.filter((line) => line.includes('the relay refuses all recipients')).length

test.each(['550 who?', '550 5.1.1 who?', '550 5.7.1 not permitted'])(
  'retries when the relay refuses five destinations in a row, until it accepts one: %s',
  async (reply) => {
    await oneMail('accept')
    for (let i = 1; i < 5; i++) expect(await (await oneMail(reply)).outcome()).toBe('refused')
    const waiting = [await oneMail(reply), await oneMail(reply)]
    for (const each of waiting) expect([await each.outcome(), await each.bounces()]).toEqual([null, 0])
    // Trouble that returns within a minute is not reported again.
    expect(errors()).toBe(1)
    fixture.relay.behave = () => 'accept'
    fixture.later(2 * MINUTE)
    for (const each of waiting) await expect.poll(each.outcome).toBe('sent')
    expect(await (await oneMail(reply)).outcome()).toBe('refused')
  },
)

test('knows that the relay accepts recipients if it refuses the content', async () => {
  await oneMail('accept')
  for (let i = 0; i < 4; i++) await oneMail('550 who?')
  await oneMail('550 no', 'DATA')
  for (let i = 0; i < 4; i++) expect(await (await oneMail('550 who?')).outcome()).toBe('refused')
})
