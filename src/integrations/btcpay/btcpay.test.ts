import { describe, expect, test } from 'vitest'
import type { PaymentProvider } from '#core/billing/payment.ts'
import { HOUR, DAY } from '#core/time.ts'
import { languages } from '#locales/languages.ts'
import { checkOut, NOW, PAGES, toList } from '../testing.ts'
import { cryptoOrder, fake, fixture, ordered, provider, useBtcpay } from './testing.ts'

useBtcpay()

describe('checkout', () => {
  test('creates an invoice with the amount of the order and without data about the buyer', async () => {
    const { order, url, id } = await ordered(3)
    const invoice = fake.invoiceOf(order.id)
    expect(url).toBe(`${fake.url}i/${id}`)
    expect(invoice).toMatchObject({
      id,
      amount: '258.00',
      currency: 'USD',
      metadata: { orderId: order.id },
      checkout: {
        redirectURL: PAGES.doneUrl,
        redirectAutomatically: true,
        expirationMinutes: 60,
        speedPolicy: 'MediumSpeed',
        defaultLanguage: 'en',
      },
    })
    expect(JSON.stringify(fake.calls)).not.toContain('reader@')
  })

  test('uses the language of the order if BTCPay supports it', async () => {
    for (const { code } of languages) {
      const { ref } = await checkOut(provider(), fixture.orders, { ...cryptoOrder(), language: code })
      const language = fake.invoices.get(ref)?.checkout.defaultLanguage
      if (language !== undefined) expect(language.slice(0, 2)).toBe(code.slice(0, 2))
    }
    const asked = [...fake.invoices.values()].filter(({ checkout }) => checkout.defaultLanguage !== undefined)
    expect(asked).toHaveLength(23)
  })

  test.each([
    ['JPY', 12_900, '12900'],
    ['KWD', 26_120, '26.120'],
    ['HUF', 3_349_050, '33490.50'],
    ['ISK', 3_349_000, '33490.00'],
    ['USD', 5, '0.05'],
  ])('converts %s %i to %s', async (currency, amount, decimal) => {
    const order = { ...cryptoOrder(), total: { amount, currency } }
    const { ref } = await checkOut(provider(), fixture.orders, order)
    expect(fake.invoices.get(ref)?.amount).toBe(decimal)
    fake.pay(ref)
    expect(await provider().read(ref)).toMatchObject({ state: 'paid', payments: [{ total: { amount, currency } }] })
  })
})

test('invalidates an open invoice, and leaves others unchanged', async () => {
  const { btcpay, id, read } = await ordered()
  await btcpay.expire?.(id)
  expect(await read()).toMatchObject({ state: 'declined' })
  const paid = await ordered()
  fake.pay(paid.id)
  for (const over of [id, paid.id, 'none']) await btcpay.expire?.(over)
  expect(await paid.read()).toMatchObject({ state: 'paid' })
  expect(fake.calls.filter(({ path }) => path.endsWith('/status'))).toHaveLength(1)
})

test('does not close an invoice of which a part is paid', async () => {
  const { btcpay, id, read } = await ordered()
  fake.receive(id, 40)
  await expect(btcpay.expire?.(id)).rejects.toMatchObject({ code: 'payment_pending' })
  expect(await read()).toMatchObject({ state: 'open' })
  fake.expire(id)
  await btcpay.expire?.(id)
  expect(await read()).toMatchObject({ state: 'underpaid' })
})

test('yields invoices that may have changed since a time, batch by batch', async () => {
  const ids: string[] = []
  for (let i = 0; i < 101; i++) {
    fixture.time.now = NOW + i * HOUR
    ids.push(fake.create({ metadata: { orderId: `order-${i}` } }).id)
  }
  fake.create({ metadata: {} })
  expect((await toList(provider().subjectsSince(NOW))).toSorted()).toEqual(ids.toSorted())
  expect(fake.calls).toHaveLength(2)
  // Invoices of the seven days before are included.
  expect(await toList(provider().subjectsSince(NOW + 100 * HOUR + 7 * DAY))).toEqual(ids.slice(100))
})

describe('if BTCPay Server rejects calls', () => {
  const calls = [
    (btcpay: PaymentProvider) => btcpay.checkout({ order: cryptoOrder(), email: 'reader@example.org', ...PAGES }),
    (btcpay: PaymentProvider) => btcpay.read('invoice'),
    async (btcpay: PaymentProvider) => btcpay.subjectsSince(NOW)[Symbol.asyncIterator]().next(),
  ]

  test('every call throws payment_unavailable, and the log contains no secrets', async () => {
    const unavailable = (btcpay: PaymentProvider) =>
      Promise.all(calls.map((call) => expect(call(btcpay)).rejects.toMatchObject({ code: 'payment_unavailable' })))
    for (const status of [401, 403, 404, 422, 500, 503]) {
      fake.faults.fail(status)
      await unavailable(provider())
    }
    fake.faults.fail(200, Infinity, '<html>Not BTCPay</html>')
    await unavailable(provider())
    fake.faults.fail(404, Infinity, '<html>Not BTCPay</html>')
    await unavailable(provider())
    fake.faults.hang()
    await unavailable(provider({ timeout: 50 }))
    fake.faults.heal()
    await unavailable(provider({ apiKey: 'other-api-key' }))
    await unavailable(provider({ storeId: 'other' }))
    await unavailable(provider({ url: 'http://127.0.0.1:9' }))
    expect(fixture.lines).toHaveLength(12 * calls.length)
    const log = JSON.stringify(fixture.lines)
    for (const secret of ['api-key', 'secret', 'reader@example.org', '127.0.0.1']) expect(log).not.toContain(secret)
  })

  test.each(['{}', 'null', '[{}]', '"x"', '{"data":[]}'])('a response %s is refused', async (body) => {
    fake.faults.fail(200, Infinity, body)
    const [create, find, list] = calls as [(typeof calls)[0], (typeof calls)[0], (typeof calls)[0]]
    for (const call of body === '[{}]' ? [create, find] : [create, find, list])
      await expect(call(provider())).rejects.toMatchObject({ code: 'payment_unavailable' })
  })

  test('an invoice that is not found cannot be created', async () => {
    fake.faults.fail(404, Infinity, '{"code":"invoice-not-found"}')
    await expect(calls[0]!(provider())).rejects.toMatchObject({ code: 'payment_unavailable' })
  })
})
