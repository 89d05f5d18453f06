import { afterEach, describe, expect, test } from 'vitest'
import { packBody } from '#mail/sealing/body.ts'
import {
  AT_ONCE,
  mailOf,
  openSenderCases,
  PER_DESTINATION,
  PER_HOUR,
  type SenderCases,
} from '#test/support/fixtures/forwarding-sender.ts'
import { DAY, ENGINES, HOUR } from '#test/support/fixtures/use-cases.ts'

let house: SenderCases
afterEach(() => house.close())

const BOMB = 1000
const RELAY_SECONDS = 10

/** Mails of an attacker to one address, in the store at once. */
async function bomb(open: Awaited<ReturnType<SenderCases['forwarded']>>['open'], count: number): Promise<void> {
  const envelope = { mailFrom: 'a@sender.example', helo: 'x', clientAddress: '192.0.2.1', tls: false }
  const recipient = await house.receive.accept(open.address)
  if (!recipient.row) throw new Error('No mailbox')
  const own = { ...envelope, recipient: open.address, receivedAt: house.time.now }
  const body = packBody(own, Buffer.from(mailOf('Bomb')))
  const active = await house.queue.active(recipient.row)
  const keys = Array.from({ length: count }, () => ({ addressId: open.row.id, id: house.newMessageId() }))
  const messages = await Promise.all(
    keys.map(async (key) => ({
      ...key,
      receivedAt: house.time.now,
      expiresAt: house.time.now + DAY,
      size: 1,
      limitBytes: Number.MAX_SAFE_INTEGER,
      sealedBody: new Uint8Array(),
      forwarding: await house.queue.queued(active, key, body),
    })),
  )
  await house.store.messages.append(messages)
}

describe.each(ENGINES)('on %s', (engine) => {
  test('two nodes on one store send each mail once', async () => {
    house = await openSenderCases({ engine, relaySeconds: 60 })
    house.startNode()
    const destinations = Array.from({ length: 8 }, (_, i) => `reader-${i}@real.example`)
    const addresses = await Promise.all(destinations.map(async (each) => (await house.forwarded(each)).open))
    const mails = Array.from({ length: PER_HOUR }, (_, i) => `Mail ${i}`)
    // Some are put off once: that must not make two of them either.
    let deferred = 0
    house.relay.behave = (step) => (step === 'message' && ++deferred % 5 === 0 ? 'defer' : 'accept')
    await Promise.all(
      mails.map((subject) =>
        house.deliver(
          addresses.map(({ address }) => address),
          mailOf(subject),
        ),
      ),
    )
    const total = destinations.length * mails.length
    const jobs = async () =>
      (await Promise.all(addresses.map(({ row }) => house.store.forwardingJobs.log(row.id, { limit: total })))).flat()
    const untouched = async () =>
      (await jobs()).filter(({ outcome, attempts }) => outcome === null && attempts === 0).length
    await expect.poll(untouched).toBe(0)
    const postponed = (await jobs()).filter(({ outcome }) => outcome === null)
    expect(postponed.length).toBeGreaterThan(total / 10)
    house.relay.behave = () => 'accept'
    house.later(60_000)
    await expect.poll(() => house.store.forwardingJobs.waiting()).toBe(0)
    const sent = house.relay.received.map(({ to, raw }) => `${to} ${/^Subject: .*$/m.exec(raw.toString())?.[0]}`)
    expect(new Set(sent).size).toBe(total)
    expect(sent).toHaveLength(total)
  })

  test('a destination that hangs, and a bomb of mails to one, hold up nobody else', async () => {
    house = await openSenderCases({ engine, relaySeconds: RELAY_SECONDS })
    const { open: slow } = await house.forwarded('slow@hangs.example')
    const { open: bombed } = await house.forwarded('victim@bombed.example')
    const { open: other } = await house.forwarded('reader@real.example')
    house.relay.behave = (step, to) => (step === 'RCPT' && to.startsWith('slow@') ? 'hang' : 'accept')
    await bomb(bombed, BOMB)
    for (let i = 0; i < AT_ONCE; i++) await house.deliver([slow.address], mailOf('Slow'))
    await house.relay.until(() => house.relay.asked.filter((to) => to.startsWith('slow@')).length === PER_DESTINATION)
    const began = performance.now()
    await house.deliver([other.address], mailOf('Other'))
    await house.relay.mailsTo('reader@real.example')
    // It did not wait for those that hang.
    expect(performance.now() - began).toBeLessThan(RELAY_SECONDS * 900)
    expect((await house.outcomes(bombed)).filter((each) => each === null).length).toBeGreaterThan(BOMB / 2)
    expect(house.relay.asked.filter((to) => to.startsWith('slow@'))).toHaveLength(PER_DESTINATION)
  })

  test('what a node took that dies is sent by another when its lease is over', async () => {
    house = await openSenderCases({ engine, idle: true })
    const { open } = await house.forwarded('reader@real.example')
    await house.deliver([open.address], mailOf('x'))
    const [job] = await house.store.forwardingJobs.take(house.time.now, house.time.now + HOUR, { limit: 1, except: [] })
    house.startNode()
    house.later(HOUR - 1)
    expect(await house.outcomes(open)).toEqual([null])
    house.later(1)
    await house.relay.mailsTo('reader@real.example')
    await expect.poll(() => house.outcomes(open)).toEqual(['sent'])
    // Whoever comes too late has nothing to say.
    expect(await house.store.forwardingJobs.finish(job!, 'refused', house.time.now)).toBe(false)
    expect(house.relay.received).toHaveLength(1)
  })
})

test('without a relay it goes into files, whoever answers for the domains', async () => {
  house = await openSenderCases({
    way: 'outbox',
    zone: { '_dmarc.sender.example TXT': 'servfail', 'real.example MX': ['0 .'] },
  })
  const { open } = await house.forwarded('reader@real.example')
  await house.deliver([open.address], mailOf('Into a file'))
  await expect.poll(() => house.outcomes(open)).toEqual(['sent'])
  const [mail] = await house.outbox()
  expect(mail).toContain('X-Forwarded-To: reader@real.example\r\n')
  expect(mail).toContain('\r\nSubject: Into a file\r\n')
})

test('where this service does not forward, nothing is queued and nothing leaves', async () => {
  house = await openSenderCases({ way: 'none' })
  const { open } = await house.forwarded('reader@real.example')
  await house.deliver([open.address], mailOf('x'))
  expect(await house.outcomes(open)).toEqual([])
  expect((await house.messages.list(open, {})).messages).toHaveLength(1)
})
