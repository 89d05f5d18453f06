import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MayflyError, smtpReply } from '#core/errors.ts'
import type { Store } from '#core/store.ts'
import { createMarks } from '#mail/forwarding/mark.ts'
import { createReturnPaths } from '#mail/forwarding/srs.ts'
import { BOUNCES, mailOf, openSenderCases, type SenderCases } from '#test/support/fixtures/forwarding-sender.ts'
import { DAY, SIZE } from '#test/support/fixtures/use-cases.ts'
import { bounceTo, complaintTo } from '#test/support/mail/reports.ts'

let house: SenderCases
let destinations = 0
/** Whether the store can't say what a mail was. */
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
  house = await openSenderCases({ wrap })
})
afterAll(() => house.close())
beforeEach(() => {
  down = false
})

const replyTo = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => smtpReply(error),
  )

/** A mail that was forwarded, with its return path. */
async function sent(open?: Awaited<ReturnType<SenderCases['forwarded']>>) {
  const destination = `reader-${++destinations}@real.example`
  const forwarded = open ?? (await house.forwarded(destination))
  const before = house.relay.received.length
  await house.deliver([forwarded.open.address], mailOf('x'))
  await house.relay.until(() => house.relay.received.length > before)
  await expect.poll(() => house.outcomes(forwarded.open)).not.toContain(null)
  const { from, raw } = house.relay.received.at(-1)!
  return { ...forwarded, destination, returnPath: from, mail: raw.toString() }
}
const stateOf = async (id: string) => {
  const { state, end, bounces } = (await house.store.forwardings.find(id))!
  return { state, end, bounces }
}

describe('RCPT', () => {
  test('a return path is taken as it is written, at each domain of ours, as long as bounces may come', async () => {
    const { returnPath } = await sent()
    for (const form of [
      returnPath,
      returnPath.toLowerCase(),
      returnPath.toUpperCase(),
      returnPath.replace('@', '@vip.'),
    ]) {
      expect(await house.receive.accept(form)).toMatchObject({ recipient: form, jobId: expect.any(String) })
    }
    house.time.now += 30 * DAY
    await house.receive.accept(returnPath)
    house.time.now += DAY
    expect(await replyTo(house.receive.accept(returnPath))).toContain('550 5.1.1')
  })

  test.each([
    ['one that we did not make', (path: string) => path.replace(/=(.)/, (_, digit) => (digit === 'a' ? '=b' : '=a'))],
    ['half of one', (path: string) => path.replace(/.{3}@/, '@')],
    ['no more than the beginning', () => 'SRS0=@mayfly.test'],
    ['another form of SRS', (path: string) => path.replace('SRS0', 'SRS1')],
  ])('%s is refused', async (_what, forge) => {
    const { returnPath } = await sent()
    expect(await replyTo(house.receive.accept(forge(returnPath)))).toContain('550 5.1.1')
  })

  test('one at a domain of somebody else is none of ours', async () => {
    const { returnPath } = await sent()
    const elsewhere = returnPath.replace(/@.*/, '@elsewhere.example')
    expect(await replyTo(house.receive.accept(elsewhere))).toContain('550 5.7.1')
  })
})

describe('a bounce', () => {
  test(`is counted once; ${BOUNCES} of them end the forwarding`, async () => {
    const first = await sent()
    const { forwarding, open } = first
    for (let i = 0; i < 2; i++) await house.deliver([first.returnPath.toUpperCase()], bounceTo(first.returnPath))
    expect(await stateOf(forwarding.id)).toEqual({ state: 'on', end: null, bounces: 1 })
    const [job] = await house.store.forwardingJobs.log(open.row.id, { limit: 1 })
    expect(job).toMatchObject({ outcome: 'refused', status: '5.1.1' })
    for (let i = 2; i <= BOUNCES; i++) {
      const { returnPath } = await sent(first)
      await house.deliver([returnPath], bounceTo(returnPath, { status: '5.2.1' }))
    }
    expect(await stateOf(forwarding.id)).toEqual({ state: 'ended', end: 'bounced', bounces: BOUNCES })
  })

  test.each([
    ['a mail that is late', (path: string) => bounceTo(path, { action: 'delayed', status: '4.4.1' })],
    ['a mail that was not refused for good', (path: string) => bounceTo(path, { status: '4.2.2' })],
    ['a mail that a filter found a virus in', (path: string) => bounceTo(path, { status: '5.7.1' })],
    ['a mail that is too large there', (path: string) => bounceTo(path, { status: '5.3.4' })],
    ['an autoreply', () => 'From: a@b.example\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nI am away\r\n'],
    ['garbage', () => '\0\0Content-Type: multipart/report\r\n\r\n--'],
    ['nothing', () => ''],
  ])('%s counts as none, and is forgotten', async (_what, raw) => {
    const { returnPath, forwarding } = await sent()
    const messages = (await house.store.stats(house.time.now)).messages
    await house.deliver([returnPath], raw(returnPath))
    expect(await stateOf(forwarding.id)).toEqual({ state: 'on', end: null, bounces: 0 })
    expect((await house.store.stats(house.time.now)).messages).toBe(messages)
  })

  test('of an address that is gone is taken and forgotten', async () => {
    const { returnPath, open } = await sent()
    await house.addresses.end(open)
    await house.deliver([returnPath], bounceTo(returnPath))
  })

  test('comes again where the store cannot say what it is about, and no inbox has it twice', async () => {
    const { returnPath, forwarding } = await sent()
    const { open } = await house.addresses.create({})
    down = true
    expect(await replyTo(house.deliver([open.address, returnPath], bounceTo(returnPath)))).toContain('451 4.3.0')
    expect((await house.messages.list(open, {})).messages).toEqual([])
    down = false
    await house.deliver([open.address, returnPath], bounceTo(returnPath))
    expect((await house.messages.list(open, {})).messages).toHaveLength(1)
    expect(await stateOf(forwarding.id)).toMatchObject({ bounces: 1 })
  })

  test('comes again where we do not know yet that the mail was sent', async () => {
    const destination = `reader-${++destinations}@real.example`
    const { open, forwarding } = await house.forwarded(destination)
    house.relay.behave = (step, to) => (step === 'message' && to === destination ? 'drop' : 'accept')
    await house.deliver([open.address], mailOf('x'))
    const { from } = (await house.relay.mailsTo(destination))[0]!
    expect(await replyTo(house.deliver([from], bounceTo(from)))).toContain('451 4.3.0')
    house.relay.behave = () => 'accept'
    const attempts = async () => (await house.store.forwardingJobs.log(open.row.id, { limit: 1 }))[0]?.attempts
    await expect.poll(attempts).toBe(1)
    house.later(60_000)
    await expect.poll(() => house.outcomes(open)).toEqual(['sent'])
    await house.deliver([from], bounceTo(from))
    expect(await stateOf(forwarding.id)).toMatchObject({ bounces: 1 })
  })

  test('that comes with a mail for a full inbox is done with', async () => {
    const { returnPath, forwarding } = await sent()
    const { open } = await house.addresses.create({})
    const accepted = [await house.receive.accept(open.address), await house.receive.accept(returnPath)]
    expect(accepted.map(({ maxBytes }) => maxBytes)).toEqual([SIZE, SIZE])
    await house.addresses.end(open)
    const envelope = { mailFrom: '', helo: 'x', clientAddress: '192.0.2.1', tls: false, receivedAt: house.time.now }
    await house.receive.deliver(envelope, accepted, Buffer.from(bounceTo(returnPath)))
    expect(await stateOf(forwarding.id)).toMatchObject({ bounces: 1 })
  })
})

describe('a complaint', () => {
  test("comes to abuse@, ends the forwarding, and is in the operator's mailbox", async () => {
    const { forwarding, mail } = await sent()
    const operator = (await house.addresses.open(house.operatorSecret))!
    const before = (await house.messages.list(operator, {})).messages.length
    await house.deliver(['ABUSE@mayfly.test'], complaintTo('abuse@mayfly.test', mail))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'ended', end: 'complained' })
    expect((await house.messages.list(operator, {})).messages).toHaveLength(before + 1)
  })

  test.each([
    ['another mark', (mail: string) => mail.replace(/(X-Mayfly-Forwarded: .{26}\.)../, '$1xx')],
    ['no mark', (mail: string) => mail.replace(/^X-Mayfly-Forwarded:/m, 'X-Other:')],
    [
      'a mark of another service',
      (mail: string, id: string) =>
        mail.replace(/X-Mayfly-Forwarded: \S+/, `X-Mayfly-Forwarded: ${createMarks(Buffer.alloc(32)).mark(id)}`),
    ],
  ])('with %s ends nothing', async (_what, forge) => {
    const { forwarding, mail, open } = await sent()
    const [job] = await house.store.forwardingJobs.log(open.row.id, { limit: 1 })
    const stopless = mail.replace(/(\?stop=[\w-]{60})[\w-]{6}/g, '$1xxxxxx')
    await house.deliver(['abuse@mayfly.test'], complaintTo('abuse@mayfly.test', forge(stopless, job!.id)))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'on' })
  })

  test('about a mail whose job is forgotten, or went with its message, ends what its link would stop, and nothing else', async () => {
    const { forwarding, mail, open } = await sent()
    const other = await sent()
    await house.summaries.settled()
    const { messages } = await house.messages.list(open, {})
    await house.messages.remove(open, messages[0]!.id)
    expect(await house.outcomes(open)).toEqual([])
    await house.deliver(['abuse@mayfly.test'], complaintTo('abuse@mayfly.test', mail))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'ended', end: 'complained' })
    expect(await stateOf(other.forwarding.id)).toMatchObject({ state: 'on' })
  })

  test('about a mail of one that was begun again since leaves the new one', async () => {
    const { forwarding, mail, open, destination } = await sent()
    await house.store.forwardings.end(forwarding.id, 'stopped', house.time.now)
    const again = await house.forward(open, destination)
    await house.deliver(['abuse@mayfly.test'], complaintTo('abuse@mayfly.test', mail))
    expect(await stateOf(again.id)).toMatchObject({ state: 'on' })
  })

  test('does so at a return path, too; nobody else can complain', async () => {
    const { forwarding, mail, returnPath } = await sent()
    const { open } = await house.addresses.create({})
    await house.deliver([open.address], complaintTo(open.address, mail))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'on' })
    await house.deliver([returnPath], complaintTo(returnPath, mail))
    expect(await stateOf(forwarding.id)).toMatchObject({ state: 'ended', end: 'complained' })
  })
})

test('return paths of jobs that never were are taken, and forgotten', async () => {
  const local = createReturnPaths(house.serviceKey, { days: 30 }).encode(house.newMessageId(), house.time.now)
  await house.deliver([`${local}@mayfly.test`], bounceTo('x'))
})
