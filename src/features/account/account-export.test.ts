import { buffer as bytesOf } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Payment } from '#core/billing/subscription.ts'
import { DAY } from '#core/time.ts'
import { type AccountFixture, openAccountFixture } from '#test/support/fixtures/account.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'
import type { SignedIn } from './sign-in.ts'

const EMAIL = 'ann@example.com'
/** A time as RFC 3339. */
const TIME: string = expect.stringMatching(/^20\d\d-.*Z$/)
const payment: Payment = {
  provider: 'stripe',
  id: 'in_1',
  ref: 'sub_1',
  plan: 'year',
  total: { amount: 8600, currency: 'USD' },
  state: 'paid',
  paidAt: Date.UTC(2026, 0, 2),
  pays: { span: 365 * DAY },
}

/** Rows per batch, as in the fixture. */
const PAGE = 3

describe.each(ENGINES)('on %s', (engine) => {
  let cases: AccountFixture
  beforeEach(async () => {
    cases = await openAccountFixture({ engine })
  })
  afterEach(() => cases.close())

  async function exported(ann: SignedIn): Promise<Record<string, string>> {
    const archive = await bytesOf(cases.export(ann))
    return Object.fromEntries(
      Object.entries(unzipSync(archive)).map(([name, content]) => [name, Buffer.from(content).toString('latin1')]),
    )
  }

  test('contains all stored data and every message, and no secret', async () => {
    const subscription = await cases.subscribe(EMAIL)
    await cases.paid(subscription, {}, [payment])
    const one = await cases.keep(subscription, 'kept.one')
    cases.time.now += 1
    const two = await cases.keep(subscription, 'kept.two')
    for (let i = 0; i < 7; i++) await cases.deliver([one], `Subject: mail ${i}\r\n\r\nhello\r\n`)
    await cases.deliver([two, one], 'Subject: to both\r\n\r\nhello\r\n')
    const bob = await cases.subscribe('bob@example.com')
    await cases.deliver([await cases.keep(bob, 'kept.bob')])

    await cases.forward(two, 'own@real.example')
    const endpoint = { endpoint: 'https://push.example/send/ann', keys: { p256dh: 'point', auth: 'auth canary' } }
    const sealed = cases.serviceWrap.wrap('push', JSON.stringify(endpoint), 'ann')
    const pushed = { id: 'ann', addressId: two.id, sealed, hostKey: 'host', sessionId: null, createdAt: cases.time.now }
    await cases.store.pushes.subscribe(pushed, 1, cases.time.now)

    const files = await exported(await cases.signedIn(EMAIL))
    const mails = Object.entries(files).filter(([name]) => name.endsWith('.eml'))
    expect(mails.filter(([name]) => name.startsWith('mail/kept.one@mayfly.test/'))).toHaveLength(8)
    expect(mails).toHaveLength(9)
    expect(new Set(mails.map(([, text]) => /Subject: (.*)\r/.exec(text)![1])).size).toBe(8)
    expect(files['README.txt']).toContain('account.json')
    const account: any = JSON.parse(files['account.json']!)
    expect(account).toMatchObject({
      email: EMAIL,
      subscription: { plan: 'year', createdAt: TIME },
      sources: [{ provider: 'stripe', ref: 'sub_1', customer: 'cus_1' }],
      payments: [{ id: 'in_1', paidAt: '2026-01-02T00:00:00.000Z', total: { amount: 8600, currency: 'USD' } }],
      sessions: [{ label: 'Firefox', current: true }],
      addresses: [
        { address: 'kept.one@mayfly.test', label: 'Name of kept.one', private: false, unread: 8, forwardings: [] },
        {
          address: 'kept.two@mayfly.test',
          forwardings: [
            { destination: 'own@real.example', state: 'waiting', end: null, createdAt: TIME, endsAt: TIME },
          ],
          pushes: [{ endpoint: 'https://push.example/send/ann', createdAt: TIME }],
        },
      ],
      orders: [],
      domains: [],
    })
    expect(files['account.json']).not.toMatch(/canary|sealed|hash|secret|emailKey|kept\.bob/i)
    for (const { secret } of [one, two]) expect(Object.values(files).join()).not.toContain(secret)
  })

  test('contains the faults of an address, and the log of what it forwards', async () => {
    const subscription = await cases.subscribe(EMAIL)
    const kept = await cases.keep(subscription, 'kept.one')
    await cases.forward(kept, 'own@real.example')
    const [forwarding] = await cases.store.forwardings.list(kept.id)
    const rules = [{ at: 'rcpt', action: 'reject', code: 450 }]
    const sealed = cases.serviceWrap.wrap('faults', JSON.stringify(rules), kept.id)
    await cases.store.addresses.setFaults(kept.id, sealed, cases.time.now)
    const logged = Array.from({ length: 2 * PAGE + 1 }, (_, i) => ({
      id: String(i),
      forwardingId: forwarding!.id,
      destinationKey: i === 0 ? forwarding!.destinationKey : 'hash of a removed destination',
      messageId: `message ${i}`,
      createdAt: cases.time.now,
      attempts: 1,
      dueAt: null,
      finishedAt: cases.time.now + 1,
      outcome: 'refused' as const,
      status: '5.1.1',
    }))
    cases.store.forwardingJobs.log = async (_id, { limit, before }) =>
      logged.slice(before === undefined ? 0 : Number(before) + 1).slice(0, limit)
    const account: any = JSON.parse((await exported(await cases.signedIn(EMAIL)))['account.json']!)
    const [{ faults, forwarded }] = account.addresses
    expect(faults).toEqual(rules)
    expect(forwarded.map(({ message }: any) => message)).toEqual(logged.map(({ messageId }) => messageId))
    expect(forwarded.slice(0, 2)).toMatchObject([
      { destination: 'own@real.example', createdAt: TIME, finishedAt: TIME, outcome: 'refused', status: '5.1.1' },
      { destination: null },
    ])
    expect(JSON.stringify(account)).not.toContain('hash of')
  })

  test('contains the messages of fully private addresses in their stored form', async () => {
    const subscription = await cases.subscribe(EMAIL)
    const kept = await cases.keep(subscription, 'kept.one')
    await cases.deliver([kept], 'Subject: canary\r\n\r\nhello\r\n')
    const { list } = cases.store.keptAddresses
    cases.store.keptAddresses.list = async (...args) =>
      (await list(...args)).map((each) => ({ ...each, sealedSecret: null }))
    const files = await exported(await cases.signedIn(EMAIL))
    const [name, content] = Object.entries(files).find(([each]) => each.startsWith('mail/'))!
    expect(name).toMatch(/\.sealed$/)
    const [row] = await cases.store.messages.list(kept.id, { now: cases.time.now, limit: 1 })
    expect(content).toBe(Buffer.from((await cases.store.messages.body(row!))!).toString('latin1'))
    expect(content).not.toContain('canary')
    expect(JSON.parse(files['account.json']!)).toMatchObject({ addresses: [{ private: true }] })
  })

  test.each([
    ['json', false],
    ['sealed', true],
  ])('contains failed deliveries as %s, and the addresses of API keys', async (extension, isPrivate) => {
    const subscription = await cases.subscribe(EMAIL)
    const kept = await cases.keep(subscription, 'kept.one')
    const recipient = (await cases.store.addresses.find(kept.id, cases.time.now))!
    const envelope = { mailFrom: 'a@sender.example', helo: 'x', clientAddress: '192.0.2.1', receivedAt: cases.time.now }
    cases.deliveryLog.note(recipient, { envelope, result: 'refused', reply: '550 5.7.1 No', size: 5 })
    await cases.deliveryLog.settled()
    const key = await cases.apiKeys.create(subscription, 'Key')
    const caller = (await cases.apiKeys.find(key.token))!
    await cases.apiKeys.createAddress(caller, {})
    if (isPrivate) {
      const { list } = cases.store.keptAddresses
      cases.store.keptAddresses.list = async (...args) =>
        (await list(...args)).map((each) => ({ ...each, sealedSecret: null }))
    }
    const files = await exported(await cases.signedIn(EMAIL))
    const [name, content] = Object.entries(files).find(([each]) => each.startsWith('deliveries/'))!
    expect(name).toMatch(new RegExp(`^deliveries/kept\\.one@mayfly\\.test/\\w+\\.${extension}$`))
    if (isPrivate) expect(content).not.toContain('sender.example')
    else
      expect(JSON.parse(content)).toMatchObject({ at: TIME, firstAt: TIME, result: 'refused', reply: '550 5.7.1 No' })
    const account: any = JSON.parse(files['account.json']!)
    expect(account.keyAddresses).toEqual([{ createdAt: TIME, expiresAt: TIME, usedBytes: 0 }])
  })

  test('reads messages only as fast as the archive is read', async () => {
    const subscription = await cases.subscribe(EMAIL)
    const kept = await cases.keep(subscription, 'kept.one')
    for (let i = 0; i < 6; i++) await cases.deliver([kept])
    const body = vi.spyOn(cases.store.messages, 'body')
    const chunks = cases.export(await cases.signedIn(EMAIL))
    // README.txt and account.json come first. Each chunk makes it read at most one further entry.
    for (let i = 0; i < 4; i++) await chunks.next()
    expect(body.mock.calls.length).toBeLessThanOrEqual(2)
    await chunks.return(undefined)
  })
})
