import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { MailRefused } from '#core/email/email.ts'
import { DAY, HOUR, MINUTE } from '#core/time.ts'
import { type SenderFixture, mailOf, openSenderFixture } from '#test/support/fixtures/forwarding-sender.ts'
import type { Behavior } from '#test/support/mail/relay.ts'
import { createRelayRefusals } from './relay-refusals.ts'

let fixture: SenderFixture
let destinations = 0
beforeAll(async () => {
  fixture = await openSenderFixture()
})
afterAll(() => fixture.close())
afterEach(() => fixture.later(HOUR))

/** Delivers a message to a new address that forwards to a new destination. Resolves after the first attempt. */
async function oneMail(reply: Behavior, step: 'RCPT' | 'DATA' = 'RCPT') {
  const destination = `reader-${++destinations}@real${destinations % 2}.example`
  const { open, forwarding } = await fixture.forwarded(destination)
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

test('counts one bounce of a mailbox until the relay accepts a recipient', async () => {
  await oneMail('accept')
  const { open, forwarding } = await fixture.forwarded('gone@real.example')
  fixture.relay.behave = (at) => (at === 'RCPT' ? '550 who?' : 'accept')
  const bounces = async () => (await fixture.store.forwardings.find(forwarding.id))?.bounces
  for (let i = 1; i <= 3; i++) {
    await fixture.deliver([open.address], mailOf('One'))
    await expect.poll(() => fixture.outcomes(open)).toEqual(Array.from({ length: i }, () => 'refused'))
    await expect.poll(bounces).toBe(1)
  }
  await oneMail('accept')
  fixture.relay.behave = (at) => (at === 'RCPT' ? '550 who?' : 'accept')
  await fixture.deliver([open.address], mailOf('One'))
  await expect.poll(bounces).toBe(2)
})

const logger = { debug() {}, info() {}, warn() {}, error() {} }
function openRefusals() {
  const time = { now: Date.now() }
  const { accepted, refused } = createRelayRefusals(logger, () => time.now)
  const refuse = (login: string, domain: string) => refused(login + domain, `${login}@${domain}`, new MailRefused('No'))
  return { time, accepted, refuse }
}

test('does not blame the relay for a domain that refuses all its mailboxes', () => {
  const { refuse } = openRefusals()
  for (let i = 0; i < 9; i++) expect(refuse(`a${i}`, 'real.example')).toBe('first')
  expect(refuse('a0', 'real.example')).toBe('again')
  expect(refuse('a', 'other.example')).toBe('all')
})

test('forgets a refusal after a day, but not while the relay refuses all', () => {
  const { time, refuse, accepted } = openRefusals()
  expect(refuse('a', 'real.example')).toBe('first')
  time.now += DAY - 1
  expect(refuse('a', 'real.example')).toBe('again')
  time.now += 2
  expect(refuse('a', 'real.example')).toBe('first')
  for (const name of ['b', 'c', 'd']) expect(refuse(name, 'real.example')).toBe('first')
  for (let i = 0; i < 100; i++, time.now += HOUR)
    for (const name of ['e', 'a', 'b', 'c', 'd'])
      expect(refuse(name, name === 'e' ? 'other.example' : 'real.example')).toBe('all')
  accepted()
  expect(refuse('a', 'real.example')).toBe('first')
})
