import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MayflyError, smtpReply } from '#core/errors.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { createForwardingMarks } from '#mail/forwarding/mark.ts'
import { createReturnPaths } from '#mail/forwarding/srs.ts'
import { BOUNCES, mailOf, openSenderFixture, type SenderFixture } from '#test/support/fixtures/forwarding-sender.ts'
import { SIZE, STORAGE } from '#test/support/fixtures/mailbox.ts'
import { bounceTo, complaintTo } from '#test/support/mail/reports.ts'

let fixture: SenderFixture
let destinations = 0
/** While true, looking up a job fails. */
let down = false
const wrap = (store: Store): Store => ({
  ...store,
  forwardingJobs: {
    ...store.forwardingJobs,
    async find(id) {
      if (down) throw new MayflyError('store_unavailable')
      return store.forwardingJobs.find(id)
    },
  },
})
beforeAll(async () => {
  fixture = await openSenderFixture({ wrap })
})
afterAll(() => fixture.close())
beforeEach(() => {
  down = false
})

const replyTo = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => smtpReply(error),
  )

/** Forwards a message, and returns it with its return path. */
async function forwardOne(open?: Awaited<ReturnType<SenderFixture['forwarded']>>) {
  const destination = `reader-${++destinations}@real.example`
  const forwarded = open ?? (await fixture.forwarded(destination))
  const before = fixture.relay.received.length
  await fixture.deliver([forwarded.open.address], mailOf('x'))
  await fixture.relay.until(() => fixture.relay.received.length > before)
  await expect.poll(() => fixture.outcomes(forwarded.open)).not.toContain(null)
  const { from, raw } = fixture.relay.received.at(-1)!
  return { ...forwarded, destination, returnPath: from, mail: raw.toString() }
}
const stateOf = async (id: string) => {
  const { state, end, bounces } = (await fixture.store.forwardings.find(id))!
  return { state, end, bounces }
}

describe('RCPT', () => {
  test('accepts a return path in any case, at each domain of the service, for as long as bounces may come', async () => {
    const { returnPath } = await forwardOne()
    for (const form of [
      returnPath,
      returnPath.toLowerCase(),
      returnPath.toUpperCase(),
      returnPath.replace('@', '@vip.'),
    ]) {
      expect(await fixture.receive.accept(form)).toMatchObject({ recipient: form, jobId: expect.any(String) })
    }
    fixture.time.now += 30 * DAY
    await fixture.receive.accept(returnPath)
    fixture.time.now += DAY
    expect(await replyTo(fixture.receive.accept(returnPath))).toContain('550 5.1.1')
  })

  test.each([
    [
      'a return path that this service did not make',
      (path: string) => path.replace(/=(.)/, (_, digit) => (digit === 'a' ? '=b' : '=a')),
    ],
    ['a truncated return path', (path: string) => path.replace(/.{3}@/, '@')],
    ['only the prefix of a return path', () => 'SRS0=@mayfly.test'],
    ['a return path of the SRS1 form', (path: string) => path.replace('SRS0', 'SRS1')],
  ])('rejects %s', async (_what, forge) => {
    const { returnPath } = await forwardOne()
    expect(await replyTo(fixture.receive.accept(forge(returnPath)))).toContain('550 5.1.1')
  })

  test('accepts a return path at a former forwarding domain, but nothing else there', async () => {
    const { returnPath } = await forwardOne()
    const former = (path: string) => path.replace(/@.*/, '@bounce.former.example')
    expect(await fixture.receive.accept(former(returnPath))).toMatchObject({ jobId: expect.any(String) })
    for (const forged of [returnPath.replace(/.{3}@/, '@'), 'SRS0=@', returnPath.replace('SRS0', 'SRS1'), 'ann@'])
      expect(await replyTo(fixture.receive.accept(former(forged)))).toContain('550 5.7.1')
    fixture.time.now += 31 * DAY
    expect(await replyTo(fixture.receive.accept(former(returnPath)))).toContain('550 5.7.1')
    fixture.time.now -= 31 * DAY
    const withoutDomain = returnPath.replace(/@.*/, '')
    expect(await replyTo(fixture.receive.accept(withoutDomain))).toContain('550')
  })
})

describe('a bounce', () => {
  test(`is counted once, and ${BOUNCES} bounces end the forwarding`, async () => {
    const first = await forwardOne()
    const { forwarding, open } = first
    for (let i = 0; i < 2; i++) await fixture.deliver([first.returnPath.toUpperCase()], bounceTo(first.returnPath))
    expect(await stateOf(forwarding.id)).toEqual({ state: 'on', end: null, bounces: 1 })
    const [job] = await fixture.store.forwardingJobs.log(open.row.id, { limit: 1 })
    expect(job).toMatchObject({ outcome: 'refused', status: '5.1.1' })
    for (let i = 2; i <= BOUNCES; i++) {
      const { returnPath } = await forwardOne(first)
      await fixture.deliver([returnPath], bounceTo(returnPath, { status: '5.2.1' }))
    }
    expect(await stateOf(forwarding.id)).toEqual({ state: 'ended', end: 'bounced', bounces: BOUNCES })
  })

  test.each([
    ['a delay notification', (path: string) => bounceTo(path, { action: 'delayed', status: '4.4.1' })],
    ['a temporary failure', (path: string) => bounceTo(path, { status: '4.2.2' })],
    ['a refusal by a virus filter', (path: string) => bounceTo(path, { status: '5.7.1' })],
    ['a full mailbox', (path: string) => bounceTo(path, { status: '5.2.2' })],
    ['a size limit of the recipient', (path: string) => bounceTo(path, { status: '5.2.3' })],
    ['a refusal without a reason', (path: string) => bounceTo(path, { status: '5.0.0' })],
    ['a refusal because of the size', (path: string) => bounceTo(path, { status: '5.3.4' })],
    ['an autoreply', () => 'From: a@b.example\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nI am away\r\n'],
    ['garbage', () => '\0\0Content-Type: multipart/report\r\n\r\n--'],
    ['nothing', () => ''],
  ])('%s does not count and is not stored', async (_what, raw) => {
    const { returnPath, forwarding } = await forwardOne()
    const messages = (await fixture.store.stats(fixture.time.now)).messages
    await fixture.deliver([returnPath], raw(returnPath))
    expect(await stateOf(forwarding.id)).toEqual({ state: 'on', end: null, bounces: 0 })
    expect((await fixture.store.stats(fixture.time.now)).messages).toBe(messages)
  })

  test.each([
    ['5.7.1', '5.7.1'],
    ['4.4.7', '4.4.7'],
    ['4.4.1\r\nDiagnostic-Code: X-Postfix; connect to mx.real.example: Connection timed out', '4.4.1'],
    ['5.0.0\r\nDiagnostic-Code: smtp; 552 5.3.4 too big', '5.3.4'],
    ['5.0.0\r\nDiagnostic-Code: smtp; 550 Mail content denied', '5.0.0'],
  ])('of a failed delivery is recorded with its status, but does not count: %s', async (status, recorded) => {
    const { returnPath, forwarding, open } = await forwardOne()
    await fixture.deliver([returnPath], bounceTo(returnPath, { status }))
    const jobs = await fixture.store.forwardingJobs.log(open.row.id, { limit: 2 })
    expect(jobs).toMatchObject([{ outcome: 'refused', status: recorded }])
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'on', bounces: 0 })
  })

  test('for an address that is gone is accepted and ignored', async () => {
    const { returnPath, open } = await forwardOne()
    await fixture.addresses.remove(open)
    await fixture.deliver([returnPath], bounceTo(returnPath))
  })

  test('is rejected temporarily if its job cannot be looked up, and delivered to an inbox only once', async () => {
    const { returnPath, forwarding } = await forwardOne()
    const { open } = await fixture.addresses.create({})
    down = true
    expect(await replyTo(fixture.deliver([open.address, returnPath], bounceTo(returnPath)))).toContain('451 4.3.0')
    expect((await fixture.messages.list(open, {})).messages).toEqual([])
    down = false
    await fixture.deliver([open.address, returnPath], bounceTo(returnPath))
    expect((await fixture.messages.list(open, {})).messages).toHaveLength(1)
    expect(await stateOf(forwarding.id)).toMatchObject({ bounces: 1 })
  })

  test('is rejected temporarily if the result of its job is not stored yet', async () => {
    const destination = `reader-${++destinations}@real.example`
    const { open, forwarding } = await fixture.forwarded(destination)
    fixture.relay.behave = (step, to) => (step === 'message' && to === destination ? 'drop' : 'accept')
    await fixture.deliver([open.address], mailOf('x'))
    const { from } = (await fixture.relay.mailsTo(destination))[0]!
    expect(await replyTo(fixture.deliver([from], bounceTo(from)))).toContain('451 4.3.0')
    fixture.relay.behave = () => 'accept'
    const attempts = async () => (await fixture.store.forwardingJobs.log(open.row.id, { limit: 1 }))[0]?.attempts
    await expect.poll(attempts).toBe(1)
    fixture.later(60_000)
    await expect.poll(() => fixture.outcomes(open)).toEqual(['sent'])
    await fixture.deliver([from], bounceTo(from))
    expect(await stateOf(forwarding.id)).toMatchObject({ bounces: 1 })
  })

  describe('together with a message to an address', () => {
    const arrange = async () => {
      const { returnPath, forwarding } = await forwardOne()
      const { open } = await fixture.addresses.create({})
      const accepted = [await fixture.receive.accept(open.address), await fixture.receive.accept(returnPath)]
      expect(accepted.map(({ maxBytes }) => maxBytes)).toEqual([SIZE, SIZE])
      const envelope = { mailFrom: '', helo: 'x', clientAddress: '192.0.2.1', tls: false, receivedAt: fixture.time.now }
      const deliver = (bytes = 0) =>
        replyTo(fixture.receive.deliver(envelope, accepted, Buffer.from(bounceTo(returnPath).padEnd(bytes))))
      return { open, forwarding, deliver }
    }

    test('that is gone is rejected and counted', async () => {
      const { open, forwarding, deliver } = await arrange()
      await fixture.addresses.remove(open)
      expect(await deliver()).toContain('550 5.1.1')
      expect(await stateOf(forwarding.id)).toMatchObject({ bounces: 1 })
    })

    test('that has no room is rejected temporarily, and counted once', async () => {
      const { forwarding, deliver } = await arrange()
      for (let i = 0; i < 2; i++) expect(await deliver(STORAGE + 1)).toContain('452 4.2.2')
      expect(await stateOf(forwarding.id)).toMatchObject({ bounces: 1 })
    })
  })
})

describe('a complaint', () => {
  test('to abuse@ ends the forwarding, and is in the operator mailbox', async () => {
    const { forwarding, mail } = await forwardOne()
    const operator = (await fixture.addresses.open(fixture.operatorSecret))!
    const before = (await fixture.messages.list(operator, {})).messages.length
    await fixture.deliver(['ABUSE@mayfly.test'], complaintTo('abuse@mayfly.test', mail))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'ended', end: 'complained' })
    expect((await fixture.messages.list(operator, {})).messages).toHaveLength(before + 1)
  })

  test.each([
    ['another mark', (mail: string) => mail.replace(/(X-Mayfly-Forwarded: .{26}\.)../, '$1xx')],
    ['no mark', (mail: string) => mail.replace(/^X-Mayfly-Forwarded:/m, 'X-Other:')],
    [
      'a mark of another service',
      (mail: string, id: string) =>
        mail.replace(
          /X-Mayfly-Forwarded: \S+/,
          `X-Mayfly-Forwarded: ${createForwardingMarks(Buffer.alloc(32)).mark(id)}`,
        ),
    ],
  ])('with %s does not end the forwarding', async (_what, forge) => {
    const { forwarding, mail, open } = await forwardOne()
    const [job] = await fixture.store.forwardingJobs.log(open.row.id, { limit: 1 })
    const stopless = mail.replace(/(\?stop=[\w-]{60})[\w-]{6}/g, '$1xxxxxx')
    await fixture.deliver(['abuse@mayfly.test'], complaintTo('abuse@mayfly.test', forge(stopless, job!.id)))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'on' })
  })

  test('about a message whose job is gone ends the forwarding of its stop link, and no other', async () => {
    const { forwarding, mail, open } = await forwardOne()
    const other = await forwardOne()
    await fixture.summaries.settled()
    const { messages } = await fixture.messages.list(open, {})
    await fixture.messages.remove(open, messages[0]!.id)
    expect(await fixture.outcomes(open)).toEqual([])
    await fixture.deliver(['abuse@mayfly.test'], complaintTo('abuse@mayfly.test', mail))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'ended', end: 'complained' })
    expect(await stateOf(other.forwarding.id)).toMatchObject({ state: 'on' })
  })

  test('about a message of an earlier forwarding does not end the new one', async () => {
    const { forwarding, mail, open, destination } = await forwardOne()
    await fixture.store.forwardings.end(forwarding.id, 'stopped', fixture.time.now)
    const again = await fixture.forward(open, destination)
    await fixture.deliver(['abuse@mayfly.test'], complaintTo('abuse@mayfly.test', mail))
    expect(await stateOf(again.id)).toMatchObject({ state: 'on' })
  })

  test('is also read at a return path, but not at an address', async () => {
    const { forwarding, mail, returnPath } = await forwardOne()
    const { open } = await fixture.addresses.create({})
    await fixture.deliver([open.address], complaintTo(open.address, mail))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'on' })
    await fixture.deliver([returnPath], complaintTo(returnPath, mail))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'ended', end: 'complained' })
  })
})

test('return paths of unknown jobs are accepted and ignored', async () => {
  const { forwarding } = await forwardOne()
  const local = createReturnPaths(fixture.serviceKey, { days: 30 }).encode(fixture.newMessageId(), fixture.time.now)
  await fixture.deliver([`${local}@mayfly.test`], bounceTo('x'))
  expect(await stateOf(forwarding.id)).toEqual({ state: 'on', end: null, bounces: 0 })
})

// The last test, because it fills the operator mailbox.
test.each([['abuse@mayfly.test'], ['postmaster@mayfly.test']])(
  'a complaint is read even if there is no room for a copy of it: %s',
  async (recipient) => {
    const { forwarding, mail } = await forwardOne()
    const raw = Buffer.from(complaintTo(recipient, mail))
    const clientAddress = '192.0.2.1'
    const envelope = { mailFrom: '', helo: 'x', clientAddress, tls: false, receivedAt: fixture.time.now }
    const report = async (body: Buffer) => {
      const attempt = { envelope, size: body.length }
      const accepted = await fixture.receive.accept(recipient, { from: clientAddress, attempt })
      return replyTo(fixture.receive.deliver(envelope, [accepted], body))
    }
    await report(Buffer.from('Subject: x\r\n\r\n'.padEnd(STORAGE)))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'on' })
    expect(await report(raw)).toContain('452 4.2.2')
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'ended', end: 'complained' })
  },
)
