import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MINUTE, HOUR, DAY } from '#core/time.ts'
import { BOUNCES, type SenderFixture, mailOf, openSenderFixture } from '#test/support/fixtures/forwarding-sender.ts'
import type { Behavior, Step } from '#test/support/mail/relay.ts'

let fixture: SenderFixture
let destinations = 0
const newDestination = () => `reader-${++destinations}@real.example`

beforeAll(async () => {
  fixture = await openSenderFixture()
})
afterAll(() => fixture.close())
beforeEach(() => {
  fixture.relay.behave = () => 'accept'
  // Each test starts with a new connection.
  fixture.relay.cut()
})

/** Delivers a message to a free address that forwards. */
async function oneMail(behavior: (step: Step) => Behavior = () => 'accept', destination = newDestination()) {
  const { open, forwarding } = await fixture.forwarded(destination)
  fixture.relay.behave = (step, to) => (to === '' || to === destination ? behavior(step) : 'accept')
  await fixture.deliver([open.address], mailOf('One'))
  const jobOf = async () => (await fixture.store.forwardingJobs.log(open.row.id, { limit: 1 }))[0]
  const attempts = async () => (await jobOf())?.attempts
  const outcome = async () => (await jobOf())?.outcome
  return { open, forwarding, destination, jobOf, attempts, outcome }
}

test('sends a message with a new envelope, additional fields, and its original bytes', async () => {
  const raw = mailOf('Grüße', { text: '.\r\n..ünïcode\r\n' })
  const { open, forwarding } = await fixture.forwarded(newDestination())
  const destination = `reader-${destinations}@real.example`
  await fixture.deliver([open.address.toUpperCase()], raw)
  const [mail] = await fixture.relay.mailsTo(destination)
  expect(mail).toMatchObject({ from: expect.stringMatching(/^SRS0=[^@]{46}@mayfly\.test$/), to: destination })
  const text = mail!.raw.toString()
  expect(text.endsWith(raw)).toBe(true)
  const head = text.slice(0, -raw.length)
  expect(head).not.toMatch(/^Return-Path/im)
  for (const name of ['ARC-Seal', 'DKIM-Signature', 'Authentication-Results', 'X-Mayfly-Forwarded']) {
    expect(head).toMatch(new RegExp(`^${name}:`, 'm'))
  }
  expect(head).toContain(`X-Forwarded-To: ${destination}\r\nX-Forwarded-For: ${open.address}\r\n`)
  expect(head).toMatch(/^X-Mayfly-Stop:\s+<https:\/\/mayfly\.test\/en\/forwarded\?stop=[\w-]{66}>\r$/m)
  await expect.poll(() => fixture.outcomes(open)).toEqual(['sent'])
  expect(await fixture.store.forwardingJobs.waiting()).toBe(0)
  expect(forwarding.destinationKey).toHaveLength(22)
})

const STEPS: readonly Step[] = ['connect', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'message']
const retried = [
  ...(['defer', 'drop'] as const).flatMap((how) => STEPS.map((step) => [how, step] as const)),
  ...(['connect', 'EHLO', 'MAIL'] as const).map((step) => ['refuse', step] as const),
]
test.each(retried)('retries after a temporary failure of the relay ("%s" at %s)', async (how, step) => {
  const { destination, attempts, outcome, jobOf } = await oneMail((at) => (at === step ? how : 'accept'))
  await expect.poll(attempts).toBe(1)
  const due = (await jobOf())!.dueAt! - fixture.time.now
  expect(due).toBeGreaterThanOrEqual(MINUTE / 2)
  expect(due).toBeLessThanOrEqual(MINUTE)
  fixture.relay.behave = () => 'accept'
  fixture.later(due)
  await expect.poll(outcome).toBe('sent')
  // If a relay drops the connection after the final dot, nobody can know whether it has the message. In this test it
  // has.
  const mails = fixture.relay.received.filter(({ to }) => to === destination)
  expect(mails).toHaveLength(how === 'drop' && step === 'message' ? 2 : 1)
})

test.each(['RCPT', 'message'] as const)('retries after a timeout at %s', async (step) => {
  const { attempts, outcome } = await oneMail((at) => (at === step ? 'hang' : 'accept'))
  await expect.poll(attempts).toBe(1)
  fixture.relay.behave = () => 'accept'
  fixture.later(MINUTE)
  await expect.poll(outcome).toBe('sent')
})

test.each([
  ['RCPT', '5.1.1'],
  ['DATA', '5.5.1'],
] as const)('gives up after a permanent refusal at %s, and counts it as a bounce', async (step, status) => {
  const { outcome, jobOf, forwarding } = await oneMail((at) => (at === step ? 'refuse' : 'accept'))
  await expect.poll(outcome).toBe('refused')
  expect(await jobOf()).toMatchObject({ status, dueAt: null })
  await expect.poll(async () => (await fixture.store.forwardings.find(forwarding.id))?.bounces).toBe(1)
})

test.each([
  ['RCPT', '550 who?', 1],
  ['message', '550 Mail content denied', 0],
  ['message', '552 Message size exceeds fixed limit', 0],
  ['RCPT', '550 5.2.3 too large for this recipient', 0],
] as const)('counts a refusal as a bounce only if the mailbox is gone: %s, %s', async (step, reply, count) => {
  const { outcome, forwarding } = await oneMail((at) => (at === step ? reply : 'accept'))
  await expect.poll(outcome).toBe('refused')
  await expect.poll(async () => (await fixture.store.forwardings.find(forwarding.id))?.bounces).toBe(count)
})

test('does not end a forwarding after spam refusals, because any sender could cause them', async () => {
  const { open, forwarding, outcome, jobOf } = await oneMail((step) => (step === 'message' ? 'refuse' : 'accept'))
  for (let i = 1; i <= BOUNCES; i++) {
    await expect.poll(outcome).toBe('refused')
    expect(await jobOf()).toMatchObject({ status: '5.7.1', dueAt: null })
    fixture.time.now += 1
    await fixture.deliver([open.address], mailOf('Again'))
  }
  await expect.poll(() => fixture.outcomes(open)).toEqual(Array.from({ length: BOUNCES + 1 }, () => 'refused'))
  expect(await fixture.store.forwardings.find(forwarding.id)).toMatchObject({ state: 'on', bounces: 0 })
})

test(`ends a forwarding and its waiting jobs after ${BOUNCES} bounces within a week`, async () => {
  const { open, forwarding, destination } = await oneMail((step) => (step === 'RCPT' ? 'refuse' : 'accept'))
  const state = async () => {
    const { state: now, end, bounces } = (await fixture.store.forwardings.find(forwarding.id))!
    return { state: now, end, bounces }
  }
  await expect.poll(state).toEqual({ state: 'on', end: null, bounces: 1 })
  fixture.time.now += 4 * DAY
  await fixture.deliver([open.address], mailOf('Two'))
  await expect.poll(state).toEqual({ state: 'on', end: null, bounces: 2 })
  // The first bounce no longer counts.
  fixture.time.now += 3 * DAY - 1
  await fixture.forward((await fixture.addresses.create({})).open, destination)
  await fixture.deliver([open.address], mailOf('Three'))
  await expect.poll(state).toEqual({ state: 'ended', end: 'bounced', bounces: 3 })
  await fixture.deliver([open.address], mailOf('Four'))
  expect(await fixture.outcomes(open)).toEqual(['refused', 'refused', 'refused'])
})

test('waits at most an hour between attempts, and gives up after a day', async () => {
  const { outcome, attempts, jobOf } = await oneMail((step) => (step === 'MAIL' ? 'defer' : 'accept'))
  const { createdAt } = (await jobOf())!
  const waits: number[] = []
  for (let tries = 1; (await outcome()) === null; tries++) {
    await expect.poll(async () => (await outcome()) ?? (await attempts())).toBeOneOf([tries, 'given-up'])
    const { dueAt } = (await jobOf())!
    if (dueAt === null) break
    waits.push((dueAt - fixture.time.now) / MINUTE)
    fixture.later(dueAt - fixture.time.now)
  }
  waits.forEach((wait, i) => {
    expect(wait).toBeLessThanOrEqual(Math.min(60, 2 ** i))
    expect(wait).toBeGreaterThanOrEqual(Math.min(60, 2 ** i) / 2)
  })
  expect(await outcome()).toBe('given-up')
  expect(fixture.time.now - createdAt).toBeLessThan(DAY)
  expect(fixture.time.now - createdAt).toBeGreaterThan(DAY - 2 * HOUR)
})

test('writes no email address to log and metrics', async () => {
  const { outcome, attempts } = await oneMail(
    (step) => (step === 'RCPT' ? '550 <canary@real.example> who?' : 'accept'),
    'canary@real.example',
  )
  await expect.poll(outcome).toBe('refused')
  const { attempts: attemptsOfSecond } = await oneMail(
    (step) => (step === 'RCPT' ? '450 canary@real.example waits' : 'accept'),
    'canary2@real.example',
  )
  await expect.poll(attemptsOfSecond).toBe(1)
  expect(await attempts()).toBe(0)
  expect(fixture.lines.join('\n')).toContain('5')
  const { body } = await fixture.metrics.render()
  expect(body).toMatch(/^mayfly_forwards_total\{outcome="refused"\} [1-9]/m)
  expect(body).toMatch(/^mayfly_forwards_total\{outcome="postponed"\} [1-9]/m)
  for (const text of [fixture.lines.join('\n'), body]) expect(text).not.toMatch(/canary|@/)
})

describe('does not send', () => {
  test.each([
    ['paused', (id: string) => fixture.store.forwardings.pause(id, true)],
    ['stopped', (id: string) => fixture.store.forwardings.end(id, 'stopped', fixture.time.now)],
  ])('a message of a forwarding that was %s', async (_what, stop) => {
    const { attempts, outcome, forwarding, destination } = await oneMail((step) =>
      step === 'RCPT' ? 'defer' : 'accept',
    )
    await expect.poll(attempts).toBe(1)
    await stop(forwarding.id)
    fixture.relay.behave = () => 'accept'
    fixture.later(HOUR)
    await expect.poll(outcome).toBe('off')
    expect(fixture.relay.received.filter(({ to }) => to === destination)).toEqual([])
  })

  test('a message that was deleted, or whose address was', async () => {
    for (const remove of [
      async ({ open }: Awaited<ReturnType<typeof oneMail>>) => {
        const { messages } = await fixture.messages.list(open, {})
        await fixture.messages.remove(open, messages[0]!.id)
      },
      async ({ open }: Awaited<ReturnType<typeof oneMail>>) => fixture.addresses.remove(open),
    ]) {
      const one = await oneMail((step) => (step === 'RCPT' ? 'defer' : 'accept'))
      await expect.poll(one.attempts).toBe(1)
      await fixture.summaries.settled()
      await remove(one)
      fixture.relay.behave = () => 'accept'
      fixture.later(HOUR)
      await expect.poll(() => fixture.store.forwardingJobs.waiting()).toBe(0)
      expect(fixture.relay.received.filter(({ to }) => to === one.destination)).toEqual([])
    }
  })
})
