import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receivedDelivery } from '#core/mailbox/delivery.ts'
import type { Authentication } from '#core/mailbox/message.ts'
import { HOUR } from '#core/time.ts'
import { type MailboxFixture, openMailboxFixture } from '#test/support/fixtures/mailbox.ts'
import { ENGINES } from '#test/support/fixtures/services.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let fixture: MailboxFixture
  beforeAll(async () => {
    fixture = await openMailboxFixture({ engine })
  })
  afterAll(() => fixture.close())

  const results = async (open: Parameters<MailboxFixture['deliveries']['list']>[0]) =>
    (await fixture.deliveries.list(open)).deliveries.map(({ result }) => result)

  async function fail(recipient: string): Promise<void> {
    const envelope = { mailFrom: 'a@sender.example', helo: 'sender.example', clientAddress: '192.0.2.1', tls: false }
    fixture.receive.failed([await fixture.receive.accept(recipient)], {
      envelope: { ...envelope, receivedAt: fixture.time.now },
      result: 'unsent',
      reply: null,
      size: null,
    })
    await fixture.deliveryLog.settled()
  }

  test('deliveries are kept as long as messages, and expired messages are not listed as deleted', async () => {
    const { open, secret } = await fixture.addresses.create({})
    await fixture.deliver([open.address])
    await fail(open.address)
    await fixture.settled()
    expect((await results(open)).toSorted()).toEqual(['received', 'unsent'])
    fixture.time.now += 23 * HOUR
    // A visit extends the address.
    await fixture.addresses.open(secret)
    fixture.time.now += HOUR
    await fixture.sweep.run()
    expect(await results(open)).toEqual([])
  })

  test('the list starts when the address was created, until entries may have expired', async () => {
    const { open } = await fixture.addresses.create({})
    const since = async () => (await fixture.deliveries.list(open)).since
    const { createdAt } = open.row
    expect(await since()).toBe(createdAt)
    fixture.time.now = createdAt + 24 * HOUR
    expect(await since()).toBe(createdAt)
    fixture.time.now += HOUR
    expect(await since()).toBe(createdAt + HOUR)
  })

  test('an address that is taken again does not show what happened before', async () => {
    const { open } = await fixture.addresses.create({})
    await fail(open.address)
    const later = { ...open, row: { ...open.row, createdAt: fixture.time.now + 1 } }
    expect(await results(later)).toEqual([])
    expect(await results(open)).toEqual(['unsent'])
  })

  test('the secret can be replaced: earlier and later deliveries are shown', async () => {
    const { open } = await fixture.addresses.create({})
    await fail(open.address)
    const replaced = await fixture.secrets.replace(open)
    fixture.time.now += HOUR
    await fail(open.address)
    expect(await results((await fixture.addresses.open(replaced.secret))!)).toEqual(['unsent', 'unsent'])
  })
})

describe('the verified domain', () => {
  const of = (authentication: Partial<Authentication>) =>
    receivedDelivery({
      id: 'x',
      receivedAt: 0,
      size: 1,
      from: { name: '', address: 'news@Shop.example' },
      authentication: { spf: 'none', dkim: 'none', dmarc: 'none', ...authentication },
      origin: { server: { name: null, network: '192.0.2.0/24' }, senderDomain: 'bounces.example' },
    }).verifiedDomain

  test.each([
    [{ dmarc: 'pass', spf: 'pass' }, 'shop.example'],
    [{ dmarc: 'fail', spf: 'pass' }, 'bounces.example'],
    [{ spf: 'softfail', dkim: 'pass' }, null],
    [{ spf: 'pending', dkim: 'pending', dmarc: 'pending' }, null],
  ] as const)('with %o is %s', (authentication, domain) => expect(of(authentication)).toBe(domain))
})
