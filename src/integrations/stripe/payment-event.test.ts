import { readFile } from 'node:fs/promises'
import type { Stripe } from 'stripe'
import { describe, expect, test } from 'vitest'
import type { PaymentProvider } from '#core/billing/payment.ts'
import { newOrder, NOW, PAGES, TOLERANCE } from '../testing.ts'
import { EVENTS } from './payment-event.ts'
import { bought, fake, fixture, provider, useStripe } from './testing.ts'

useStripe()

/** Returns the events of an order that was paid, renewed, refunded and disputed. */
async function events(): Promise<Stripe.Event[]> {
  const { invoice, subscription } = await bought()
  const { id } = invoice
  fake.failRenewal(subscription.id)
  fake.refund(id)
  fake.decide(fake.dispute(id), 'lost')
  fake.end(subscription.id)
  return fake.events
}

const signed = (event: unknown, options = {}) => {
  const body = JSON.stringify(event)
  return [Buffer.from(body), fake.sign(body, options)] as const
}

test('returns the subject of each relevant event', async () => {
  const all = await events()
  const [session] = fake.books.sessions.keys()
  const [subscription] = fake.books.subscriptions.keys()
  const [first, second] = fake.books.invoices.keys()
  const [charge] = fake.books.charges.keys()
  expect(all.map((event) => [event.type, provider().verify(...signed(event))])).toEqual(
    (
      [
        ['customer.subscription.created', undefined],
        ['charge.succeeded', undefined],
        ['invoice.paid', `invoice:${first}`],
        ['checkout.session.completed', `session:${session}`],
        ['invoice.payment_failed', `invoice:${second}`],
        ['customer.subscription.updated', `subscription:${subscription}`],
        ['charge.refunded', `charge:${charge}`],
        ['charge.dispute.created', `charge:${charge}`],
        ['charge.dispute.closed', `charge:${charge}`],
        ['customer.subscription.deleted', `subscription:${subscription}`],
      ] as const
    ).map(([type, subject], i) => [type, subject && { id: all[i]?.id, subject }]),
  )
})

test('is documented with the same events', async () => {
  const page = await readFile(new URL('../../../docs/operating/payments.md', import.meta.url), 'utf8')
  const told = page.match(/\b(?:checkout|invoice|customer|charge|refund)\.[a-z_.]+[a-z]/g)
  expect(told?.toSorted()).toEqual([...EVENTS].toSorted())
})

test('ignores a session without an order', async () => {
  const event = (await events()).find(({ type }) => type === 'checkout.session.completed')!
  ;(event.data.object as Stripe.Checkout.Session).metadata = {}
  expect(provider().verify(...signed(event))).toBeUndefined()
})

describe('the signature', () => {
  const event = { id: 'evt_1', type: 'invoice.paid', data: { object: { id: 'in_1' } } }
  const invalid = (body: Uint8Array, headers: Record<string, string | string[] | undefined>) =>
    expect(() => provider().verify(body, headers)).toThrow(expect.objectContaining({ code: 'signature_invalid' }))

  test.each([
    [-60_000, true],
    [0, true],
    [TOLERANCE - 1000, true],
    [TOLERANCE, true],
    [TOLERANCE + 1000, false],
  ])('is accepted if it is %i ms old: %s', (age, fine) => {
    const [body, headers] = signed(event, { time: NOW - age })
    if (fine) expect(provider().verify(body, headers)).toEqual({ id: 'evt_1', subject: 'invoice:in_1' })
    else invalid(body, headers)
  })

  test('is rejected with another secret', () => invalid(...signed(event, { secret: 'whsec_other' })))

  test('is rejected if the bytes are reordered, added or removed', () => {
    const [body, headers] = signed(event)
    const { data, type, id } = event
    for (const other of [JSON.stringify({ data, type, id }), `${body.toString()} `, body.toString().slice(0, -1), ''])
      invalid(Buffer.from(other), headers)
  })

  test('is rejected if it is missing, repeated or incomplete', () => {
    const [body, headers] = signed(event)
    const signature = headers['stripe-signature'] ?? ''
    const [time, digest] = signature.split(',') as [string, string]
    for (const header of [
      undefined,
      '',
      [signature, signature],
      time,
      digest,
      signature.slice(0, -1),
      `${time},v0=${digest.slice(3)}`,
      't=1,v1=',
      't=,v1=',
      `${time},v1=`,
      't=1,v1=\u00E9',
      't,v1',
      '=,=,=',
      ','.repeat(1000),
    ])
      invalid(body, { 'stripe-signature': header })
    const [seconds] = time.slice(2).split(',')
    invalid(body, { 'stripe-signature': `t=${Number(seconds) + 1},${digest}` })
  })

  test.each([
    'nonsense',
    '',
    '{',
    'null',
    '[]',
    '1',
    '"text"',
    '{}',
    '{"id":"evt_1","type":"invoice.paid"}',
    '{"id":"evt_1","type":"invoice.paid","data":{"object":{}}}',
  ])('is not sufficient for the body %j', (body) => {
    const headers = fake.sign(body)
    expect(() => provider().verify(Buffer.from(body), headers)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  })

  test('is accepted if one of two matches, as during a change of the secret', () => {
    const [body, headers] = signed(event)
    const [time, digest] = headers['stripe-signature']!.split(',')
    expect(provider().verify(body, { 'stripe-signature': `${time},v1=${'0'.repeat(64)},${digest}` })).toBeDefined()
  })
})

describe('if Stripe rejects calls', () => {
  const calls = [
    (stripe: PaymentProvider) => stripe.checkout({ order: newOrder(), email: 'reader@example.org', ...PAGES }),
    (stripe: PaymentProvider) => stripe.read('subscription:sub_1'),
    async (stripe: PaymentProvider) => stripe.portal?.('cus_1', PAGES.backUrl, 'en'),
    async (stripe: PaymentProvider) => stripe.subjectsSince(NOW)[Symbol.asyncIterator]().next(),
  ]

  test('every call throws payment_unavailable, and the log contains no secrets', async () => {
    const unavailable = (stripe: PaymentProvider) =>
      Promise.all(calls.map((call) => expect(call(stripe)).rejects.toMatchObject({ code: 'payment_unavailable' })))
    for (const status of [401, 500]) {
      fake.faults.fail(status)
      await unavailable(provider())
    }
    fake.faults.fail(502, Infinity, '<html>Bad gateway</html>')
    await unavailable(provider())
    fake.faults.hang()
    await unavailable(provider({ timeout: 50 }))
    fake.faults.heal()
    await unavailable(provider({ secretKey: 'sk_test_other' }))
    await unavailable(provider({ apiUrl: 'http://127.0.0.1:9' }))
    expect(fixture.lines).toHaveLength(6 * calls.length)
    const log = JSON.stringify(fixture.lines)
    for (const secret of ['sk_test', 'whsec', 'reader@example.org', '127.0.0.1']) expect(log).not.toContain(secret)
  })

  test.each(['{}', 'null', '[]', '"x"', '5', '{"error":5}'])('a response %s is refused', async (body) => {
    for (const status of [200, 404]) {
      fake.faults.fail(status, Infinity, body)
      for (const call of calls) await expect(call(provider())).rejects.toMatchObject({ code: 'payment_unavailable' })
    }
  })

  test('a single failure is retried', async () => {
    fake.faults.fail(503, 1)
    await expect(provider().read('subscription:sub_1')).resolves.toBeUndefined()
  })
})
