import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { HOUR } from '#core/time.ts'
import {
  mailOf,
  MAX_BYTES,
  MAX_HOPS,
  openSenderFixture,
  type SenderFixture,
  SENDER_ZONE,
} from '#test/support/fixtures/forwarding-sender.ts'

let fixture: SenderFixture
let destinations = 0
const newDestination = () => `reader-${++destinations}@real.example`

beforeAll(async () => {
  fixture = await openSenderFixture({
    env: {
      MAYFLY_DOMAINS: 'mayfly.test,second.example',
      MAYFLY_PREMIUM_DOMAINS: 'vip.example',
      MAYFLY_OUTBOUND_FROM: 'noreply@Company.example',
      MAYFLY_SMTP_HOSTNAME: 'mx.host.co.uk',
      MAYFLY_PUBLIC_URL: 'https://mail.ours.example',
    },
    zone: {
      'nomail.example MX': ['0 .'],
      'two.example MX': ['0 .', '10 mx.two.example'],
      'down.example MX': 'servfail',
    },
  })
})
afterAll(() => fixture.close())
beforeEach(() => Object.assign(fixture.dns.zone, SENDER_ZONE))

async function outcomeOf(raw: string, destination = newDestination()) {
  const { open } = await fixture.forwarded(destination)
  await fixture.deliver([open.address], raw)
  await expect.poll(async () => (await fixture.outcomes(open))[0]).not.toBe(null)
  expect(fixture.relay.received.some(({ to }) => to === destination)).toBe((await fixture.outcomes(open))[0] === 'sent')
  return (await fixture.outcomes(open))[0]
}

const received = (count: number): string => 'Received: from a by b; Sat, 1 Jan 2026 00:00:00 +0000\r\n'.repeat(count)
/** Returns a message that has `bytes` bytes with the Return-Path that receiving adds. */
function sized(bytes: number): string {
  const returnPath = 'Return-Path: <a@sender.example>\r\n'.length
  return mailOf('x', { text: 'x'.repeat(bytes - returnPath - mailOf('x', { text: '' }).length) })
}

test.each([
  ['a forged sender', () => mailOf('x', { from: 'a@bank.example' }), 'dmarc'],
  ['a message without a sender', () => 'Subject: x\r\n\r\n\r\n', 'dmarc'],
  ['a sender without any DNS record', () => mailOf('x', { from: 'a@unheard-of.example' }), 'sent'],
  [
    'a sender at our domain, which our signature would authenticate',
    () => mailOf('x', { from: 'support@MAYFLY.test' }),
    'dmarc',
  ],
  ['a sender at a subdomain of ours', () => mailOf('x', { from: 'support@mail.mayfly.test' }), 'dmarc'],
  ['a sender at our second mail domain', () => mailOf('x', { from: 'support@Second.example' }), 'dmarc'],
  ['a sender at our premium domain', () => mailOf('x', { from: 'support@vip.example' }), 'dmarc'],
  ['a sender at the domain of our own emails', () => mailOf('x', { from: 'noreply@company.example' }), 'dmarc'],
  ['a sender at the domain above that of our site', () => mailOf('x', { from: 'a@ours.example' }), 'dmarc'],
  ['a sender at a name beside that of our receiver', () => mailOf('x', { from: 'a@www.host.co.uk' }), 'dmarc'],
  ['a sender below the same public suffix', () => mailOf('x', { from: 'a@other.co.uk' }), 'sent'],
  ['a sender whose domain only ends like ours', () => mailOf('x', { from: 'a@notmayfly.test' }), 'sent'],
  ['a field with the name of our mark', () => mailOf('x', { head: 'x-mayfly-FORWARDED: no\r\n' }), 'loop'],
  ['the name of our mark in the text', () => mailOf('x', { text: 'X-Mayfly-Forwarded: x' }), 'sent'],
  ['the maximum number of Received fields', () => mailOf('x', { head: received(MAX_HOPS) }), 'sent'],
  ['one Received field too many', () => mailOf('x', { head: received(MAX_HOPS + 1) }), 'loop'],
  ['a byte less than the maximum size', () => sized(MAX_BYTES - 1), 'sent'],
  ['the maximum size', () => sized(MAX_BYTES), 'sent'],
  ['a byte more than the maximum size', () => sized(MAX_BYTES + 1), 'too-big'],
])('the outcome for %s', async (_what, raw, outcome) => {
  fixture.dns.zone['_dmarc.bank.example TXT'] = ['v=DMARC1; p=reject']
  expect(await outcomeOf(raw())).toBe(outcome)
})

test.each([
  ['nomail.example', 'no-mail'],
  ['two.example', 'sent'],
  ['down.example', 'sent'],
  ['mayfly.test', 'no-mail'],
  ['sub.vip.mayfly.test', 'no-mail'],
])('a destination at %s: %s', async (domain, outcome) => {
  expect(await outcomeOf(mailOf('x'), `reader-${++destinations}@${domain}`)).toBe(outcome)
})

test('has only our own results in our name', async () => {
  const destination = newDestination()
  const { open } = await fixture.forwarded(destination)
  const forged = 'Authentication-Results: Mayfly.test; dmarc=pass header.from=bank.example\r\n'
  const foreign = 'Authentication-Results: mx.example; dmarc=pass header.from=bank.example\r\n'
  await fixture.deliver([open.address], mailOf('x', { head: forged + foreign }))
  const [mail] = await fixture.relay.mailsTo(destination)
  const fields = mail!.raw.toString().match(/^Authentication-Results: .*\r\n/gim)
  expect(fields).toEqual([expect.stringMatching(/^Authentication-Results: mayfly\.test;/), foreign])
})

test('retries a message if the DNS gives no answer about its sender', async () => {
  // A sender that no other test looks up, because answers are cached.
  fixture.dns.zone['_dmarc.silent.example TXT'] = 'servfail'
  const destination = newDestination()
  const { open } = await fixture.forwarded(destination)
  await fixture.deliver([open.address], mailOf('x', { from: 'shop@silent.example' }))
  const job = async () => (await fixture.store.forwardingJobs.log(open.row.id, { limit: 1 }))[0]!
  await expect.poll(async () => (await job()).attempts).toBe(1)
  expect(fixture.relay.received.filter(({ to }) => to === destination)).toEqual([])
  delete fixture.dns.zone['_dmarc.silent.example TXT']
  fixture.later(HOUR)
  await fixture.relay.mailsTo(destination)
})

test.each<[string, (one: Awaited<ReturnType<SenderFixture['forwarded']>>) => Promise<unknown>]>([
  ['forwarding was paused', ({ forwarding }) => fixture.store.forwardings.pause(forwarding.id, true)],
  [
    'forwarding was ended',
    ({ forwarding }) => fixture.store.forwardings.end(forwarding.id, 'declined', fixture.time.now),
  ],
  ['address was removed', ({ open }) => fixture.addresses.remove(open)],
  [
    'message was removed',
    async ({ open }) => fixture.messages.remove(open, (await fixture.messages.list(open, {})).messages[0]!.id),
  ],
])('does not send a message if, while it was being made, its %s', async (_what, stop) => {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const domain = `slow-${++destinations}.example`
  fixture.dns.zone[`${domain} MX`] = promise
  const one = await fixture.forwarded(`reader@${domain}`)
  await fixture.deliver([one.open.address], mailOf('x'))
  await expect.poll(() => fixture.dns.asked).toContain(`${domain} MX`)
  await fixture.summaries.settled()
  await stop(one)
  resolve([`10 mx.${domain}`])
  // This message goes through the same steps later.
  const next = newDestination()
  const { open } = await fixture.forwarded(next)
  await fixture.deliver([open.address], mailOf('x'))
  await fixture.relay.mailsTo(next)
  await expect.poll(() => fixture.store.forwardingJobs.waiting()).toBe(0)
  expect(fixture.relay.asked).not.toContain(`reader@${domain}`)
})

test('does not send a message that took longer to make than its lease', async () => {
  // With one job per destination, the node cannot take the job again while the first attempt is still running.
  const late = await openSenderFixture({ perDestination: 1 })
  onTestFinished(() => late.close())
  const { promise, resolve } = Promise.withResolvers<string[]>()
  late.dns.zone['slow.example MX'] = promise
  const destination = 'reader@slow.example'
  const { open } = await late.forwarded(destination)
  await late.deliver([open.address], mailOf('x'))
  await expect.poll(() => late.dns.asked).toContain('slow.example MX')
  late.time.now += HOUR
  resolve(['10 mx.slow.example'])
  const attempts = async () => (await late.store.forwardingJobs.log(open.row.id, { limit: 1 }))[0]?.attempts
  await expect.poll(attempts).toBe(1)
  expect(late.relay.asked).not.toContain(destination)
  late.later(HOUR)
  await expect.poll(() => late.outcomes(open)).toEqual(['sent'])
})
