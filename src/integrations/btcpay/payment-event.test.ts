import { describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { TOLERANCE } from '../testing.ts'
import { fake, fixture, ordered, provider, useBtcpay } from './testing.ts'

useBtcpay()

describe('the signature', () => {
  const event = async () => {
    const { id, btcpay } = await ordered()
    fake.pay(id)
    return { id, btcpay, event: fake.events.at(-1)! }
  }
  const invalid = (body: Uint8Array, headers: Record<string, string | string[] | undefined>) =>
    expect(() => provider().verify(body, headers)).toThrow(expect.objectContaining({ code: 'signature_invalid' }))
  const signed = (body: object | string, secret?: string) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return [Buffer.from(text), fake.sign(text, secret)] as const
  }

  test.each(['nonsense', '', '{', 'null', '[]', '1', '{}', '{"type":"InvoiceSettled"}'])(
    'is not sufficient for the body %j',
    (body) =>
      expect(() => provider().verify(...signed(body))).toThrow(expect.objectContaining({ code: 'invalid_request' })),
  )

  test('returns the invoice of each event except the first', async () => {
    const { id, btcpay } = await event()
    fake.expire(id)
    fake.mark(id, 'Invalid')
    for (const each of fake.events) {
      const expected = each.type === 'InvoiceCreated' ? undefined : { id: each.deliveryId, subject: id }
      expect(btcpay.verify(...signed(each))).toEqual(expected)
    }
    expect(btcpay.verify(...signed({ ...fake.events[1], storeId: 'other' }))).toBeUndefined()
    expect(btcpay.verify(...signed({ ...fake.events[1], type: 'PayoutCreated', invoiceId: undefined }))).toBeUndefined()
  })

  test.each([
    [-60_000, true],
    [TOLERANCE - 1000, true],
    [TOLERANCE, true],
    [TOLERANCE + 1000, false],
  ])('is accepted %i ms after the event: %s', async (age, fine) => {
    const { id, btcpay, event: last } = await event()
    fixture.time.now += age
    const delivery = signed(last)
    if (fine) expect(btcpay.verify(...delivery)).toMatchObject({ subject: id })
    else invalid(...delivery)
  })

  test('is rejected without a time', async () => {
    const { event: last } = await event()
    invalid(...signed({ ...last, timestamp: undefined }))
  })

  test.each([[{}], [[]], [5], [true]])('is not sufficient for the invoice id %j', async (invoiceId) => {
    const { btcpay, event: last } = await event()
    const verify = () => btcpay.verify(...signed({ ...last, invoiceId } as unknown as typeof last))
    expect(verify).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  test('may be old for a redelivery, which is the same event', async () => {
    const { btcpay, event: last } = await event()
    fixture.time.now += DAY
    const again = fake.redelivery(last)
    expect(again.deliveryId).not.toBe(last.deliveryId)
    expect(btcpay.verify(...signed(again))).toEqual({ id: last.deliveryId, subject: last.invoiceId })
  })

  test('must match the bytes and the secret, and must be one complete header', async () => {
    const { event: last } = await event()
    const [body, headers] = signed(last)
    const signature = headers['btcpay-sig']!
    invalid(...signed(last, 'other'))
    const { type, ...rest } = last
    for (const other of [
      JSON.stringify({ type, ...rest }),
      JSON.stringify({ ...last, invoiceId: 'other' }),
      `${body} `,
      '',
    ])
      invalid(Buffer.from(other), headers)
    for (const header of [undefined, '', [signature, signature], signature.slice(0, -1), signature.slice(7), 'sha256='])
      invalid(body, { 'btcpay-sig': header })
    expect(provider().verify(body, { 'btcpay-sig': signature.toUpperCase().replace('SHA256', 'sha256') })).toBeDefined()
  })
})
