import { afterEach, describe, expect, test } from 'vitest'
import type { WaitingJob } from '#core/forwarding/forwarding.ts'
import { HOUR, DAY } from '#core/time.ts'
import { packBody } from '#mail/sealing/body.ts'
import {
  AT_ONCE,
  mailOf,
  openSenderFixture,
  PER_DESTINATION,
  PER_HOUR,
  type SenderFixture,
} from '#test/support/fixtures/forwarding-sender.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

let fixture: SenderFixture
afterEach(() => fixture.close())

const FLOOD = 1000
const RELAY_SECONDS = 10

/** Stores `count` messages to one address at once, as an attacker may send them. */
async function storeMany(open: Awaited<ReturnType<SenderFixture['forwarded']>>['open'], count: number): Promise<void> {
  const recipient = await fixture.receive.accept(open.address)
  if (!recipient.row) throw new Error('No mailbox')
  const envelope = {
    mailFrom: 'a@sender.example',
    recipient: open.address,
    helo: 'x',
    clientAddress: '192.0.2.1',
    tls: false,
    receivedAt: fixture.time.now,
  }
  const body = packBody(envelope, Buffer.from(mailOf('Flood')))
  const active = await fixture.queue.active(recipient.row)
  const keys = Array.from({ length: count }, () => ({ addressId: open.row.id, id: fixture.newMessageId() }))
  const messages = await Promise.all(
    keys.map(async (key) => ({
      ...key,
      receivedAt: fixture.time.now,
      expiresAt: fixture.time.now + DAY,
      size: 1,
      limitBytes: Number.MAX_SAFE_INTEGER,
      sealedBody: new Uint8Array(),
      forwarding: await fixture.queue.queued(active, key, body),
    })),
  )
  await fixture.store.messages.append(messages)
  await fixture.queue.release(messages)
}

describe.each(ENGINES)('on %s', (engine) => {
  test('two nodes on one store send each message once', async () => {
    fixture = await openSenderFixture({ engine, relaySeconds: 60 })
    await fixture.startNode()
    const destinations = Array.from({ length: 8 }, (_, i) => `reader-${i}@real.example`)
    const addresses = await Promise.all(destinations.map(async (each) => (await fixture.forwarded(each)).open))
    const mails = Array.from({ length: PER_HOUR }, (_, i) => `Mail ${i}`)
    // Some are postponed once. They must not be sent twice either.
    let deferred = 0
    fixture.relay.behave = (step) => (step === 'message' && ++deferred % 5 === 0 ? 'defer' : 'accept')
    await Promise.all(
      mails.map((subject) =>
        fixture.deliver(
          addresses.map(({ address }) => address),
          mailOf(subject),
        ),
      ),
    )
    const total = destinations.length * mails.length
    const jobs = async () =>
      (await Promise.all(addresses.map(({ row }) => fixture.store.forwardingJobs.log(row.id, { limit: total })))).flat()
    const untouched = async () =>
      (await jobs()).filter(({ outcome, attempts }) => outcome === null && attempts === 0).length
    await expect.poll(untouched).toBe(0)
    const postponed = (await jobs()).filter(({ outcome }) => outcome === null)
    expect(postponed.length).toBeGreaterThan(total / 10)
    fixture.relay.behave = () => 'accept'
    fixture.later(60_000)
    await expect.poll(() => fixture.store.forwardingJobs.waiting()).toBe(0)
    const sent = fixture.relay.received.map(({ to, raw }) => `${to} ${/^Subject: .*$/m.exec(raw.toString())?.[0]}`)
    expect(new Set(sent).size).toBe(total)
    expect(sent).toHaveLength(total)
  })

  test('a hanging destination and a flood of messages to another one delay nobody else', async () => {
    fixture = await openSenderFixture({ engine, relaySeconds: RELAY_SECONDS })
    const { open: slow } = await fixture.forwarded('slow@hangs.example')
    const { open: bombed } = await fixture.forwarded('victim@bombed.example')
    const { open: other } = await fixture.forwarded('reader@real.example')
    fixture.relay.behave = (step, to) => (step === 'RCPT' && to.startsWith('slow@') ? 'hang' : 'accept')
    await storeMany(bombed, FLOOD)
    for (let i = 0; i < AT_ONCE; i++) await fixture.deliver([slow.address], mailOf('Slow'))
    await fixture.relay.until(
      () => fixture.relay.asked.filter((to) => to.startsWith('slow@')).length === PER_DESTINATION,
    )
    const startedAt = performance.now()
    await fixture.deliver([other.address], mailOf('Other'))
    await fixture.relay.mailsTo('reader@real.example')
    // The message did not wait for the hanging connections.
    expect(performance.now() - startedAt).toBeLessThan(RELAY_SECONDS * 900)
    expect((await fixture.outcomes(bombed)).filter((each) => each === null).length).toBeGreaterThan(FLOOD / 2)
    expect(fixture.relay.asked.filter((to) => to.startsWith('slow@'))).toHaveLength(PER_DESTINATION)
  })

  test('a job of a dead node is sent by another node when its lease is over', async () => {
    fixture = await openSenderFixture({ engine, idle: true, relaySeconds: RELAY_SECONDS })
    const { open } = await fixture.forwarded('reader@real.example')
    await fixture.deliver([open.address], mailOf('x'))
    const jobs: WaitingJob[] = []
    const { now } = fixture.time
    const take = () => fixture.store.forwardingJobs.take(now, now + HOUR, { limit: 1, except: [] })
    // Nobody waits for the release of a message.
    await expect.poll(async () => jobs.push(...(await take()))).toBe(1)
    await fixture.startNode()
    fixture.later(HOUR - 1)
    expect(await fixture.outcomes(open)).toEqual([null])
    fixture.later(1)
    await fixture.relay.mailsTo('reader@real.example')
    await expect.poll(() => fixture.outcomes(open)).toEqual(['sent'])
    // A node that reports after its lease is ignored.
    expect(await fixture.store.forwardingJobs.finish(jobs[0]!, 'refused', fixture.time.now)).toBe(false)
    expect(fixture.relay.received).toHaveLength(1)
  })
})

test('without a relay, messages go to the outbox without any DNS check', async () => {
  fixture = await openSenderFixture({
    transport: 'outbox',
    zone: { '_dmarc.sender.example TXT': 'servfail', 'real.example MX': ['0 .'] },
  })
  const { open } = await fixture.forwarded('reader@real.example')
  await fixture.deliver([open.address], mailOf('Into a file'))
  await expect.poll(() => fixture.outcomes(open)).toEqual(['sent'])
  const [mail] = await fixture.outbox()
  expect(mail).toContain('X-Forwarded-To: reader@real.example\r\n')
  expect(mail).toContain('\r\nSubject: Into a file\r\n')
})

test('a service that does not forward queues nothing', async () => {
  fixture = await openSenderFixture({ transport: 'none' })
  const { open } = await fixture.forwarded('reader@real.example')
  await fixture.deliver([open.address], mailOf('x'))
  expect(await fixture.outcomes(open)).toEqual([])
  expect((await fixture.messages.list(open, {})).messages).toHaveLength(1)
})
