import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { checkOut, newOrder, NOW, testPorts, toList, TOLERANCE } from '../testing.ts'
import { createSandbox } from './sandbox.ts'

const serviceKey = randomBytes(32)

let fixture: ReturnType<typeof testPorts>
beforeEach(() => {
  fixture = testPorts()
})

const sandbox = (key = serviceKey) =>
  createSandbox({ serviceKey: key, siteUrl: () => 'https://mayfly.example', tolerance: TOLERANCE }, fixture.ports)

async function ordered(fields: Parameters<typeof newOrder>[0] = {}) {
  const order = newOrder({ provider: 'sandbox', ...fields })
  const { ref, url } = await checkOut(sandbox(), fixture.orders, order)
  return { order, ref, url }
}

/** Returns the state after an outcome is delivered as a payment event. */
async function simulate(
  order: ReturnType<typeof newOrder>,
  outcome: Parameters<ReturnType<typeof sandbox>['paymentEvent']>[1],
) {
  const { body, headers } = sandbox().paymentEvent(order, outcome)
  return sandbox().read(sandbox().verify(body, headers)!.subject)
}

test.each([
  ['en', '/en/checkout'],
  ['zh', '/checkout'],
])('uses a page of the site as the checkout in %s', async (language, path) => {
  const { order, ref, url } = await ordered({ language })
  expect(url).toBe(`https://mayfly.example${path}?order=${order.id}`)
  expect(ref).toBe(order.id)
})

test.each(['declined', 'expired', 'underpaid'] as const)('pays nothing after %s', async (outcome) => {
  const { order } = await ordered()
  expect(await simulate(order, outcome)).toEqual({
    orderId: order.id,
    state: outcome,
    source: undefined,
    payments: [],
    mismatch: undefined,
  })
})

test.each([
  ['month', 1, 30],
  ['year', 1, 365],
  ['crypto', 1, 365],
  ['crypto', 3, 1096],
] as const)('pays %s, %i for %i days, however often it is paid', async (plan, years, days) => {
  const { order } = await ordered({ plan, years })
  const report = await simulate(order, 'paid')
  fixture.time.now += DAY
  expect(await simulate(order, 'paid')).toEqual(report)
  const shared = { provider: 'sandbox', ref: order.id, plan }
  expect(report).toEqual({
    orderId: order.id,
    state: 'paid',
    mismatch: undefined,
    source: { ...shared, orderId: order.id, customer: null, renews: false, failingSince: null },
    payments: [{ ...shared, id: order.id, total: order.total, state: 'paid', paidAt: NOW, pays: { span: days * DAY } }],
  })
})

test('can be paid after it was declined, and a payment can be refunded only by the operator', async () => {
  const { order, ref } = await ordered()
  order.state = 'declined'
  expect(await simulate(order, 'paid')).toMatchObject({ state: 'paid' })
  order.state = 'paid'
  for (const outcome of ['declined', 'expired', 'underpaid'] as const)
    expect(await simulate(order, outcome)).toMatchObject({ state: 'paid', payments: [{ state: 'paid' }] })
  order.state = 'refunded'
  for (const report of [await simulate(order, 'paid'), await sandbox().read(ref)])
    expect(report).toMatchObject({ state: 'refunded', payments: [{ state: 'refunded' }] })
})

test('returns the state of the order without an outcome', async () => {
  const { order, ref } = await ordered()
  expect(await sandbox().read(ref)).toMatchObject({ state: 'open', payments: [] })
  order.state = 'paid'
  expect(await sandbox().read(ref)).toMatchObject({ state: 'paid', payments: [{ id: order.id }] })
  expect(await toList(sandbox().subjectsSince(0))).toEqual([])
})

describe('signatures', () => {
  test('reject an unsigned subject, or one for another order, outcome or service', async () => {
    const { order } = await ordered()
    const other = (await ordered()).order
    const { body, headers } = sandbox().paymentEvent(order, 'declined')
    const { subject } = sandbox().verify(body, headers)!
    const mac = subject.split('.')[2]
    for (const forged of [
      `${order.id}.paid.${mac}`,
      `${other.id}.declined.${mac}`,
      `${order.id}.paid`,
      `${order.id}.paid.`,
    ])
      expect(await sandbox().read(forged)).toBeUndefined()
    expect(await sandbox(randomBytes(32)).read(subject)).toBeUndefined()
    fixture.orders.set(order.id, { ...order, provider: 'stripe' })
    expect(await sandbox().read(subject)).toBeUndefined()
    fixture.orders.clear()
    expect(await sandbox().read(subject)).toBeUndefined()
  })

  const invalid = (body: Uint8Array, headers: Record<string, string | string[] | undefined>) =>
    expect(() => sandbox().verify(body, headers)).toThrow(expect.objectContaining({ code: 'signature_invalid' }))

  test('reject a payment event with another body, time or key', () => {
    const { body, headers } = sandbox().paymentEvent(newOrder(), 'paid')
    const [name, signature] = Object.entries(headers)[0] as [string, string]
    invalid(Buffer.concat([body, Buffer.from(' ')]), headers)
    invalid(sandbox().paymentEvent(newOrder(), 'paid').body, headers)
    const foreign = sandbox(randomBytes(32)).paymentEvent(newOrder(), 'paid')
    invalid(foreign.body, foreign.headers)
    for (const header of [
      undefined,
      '',
      [signature, signature],
      signature.slice(0, -1),
      signature.replace('t=', 't=1'),
    ])
      invalid(body, { [name]: header })
  })

  test.each([
    [TOLERANCE - 1, true],
    [TOLERANCE, true],
    [TOLERANCE + 1, false],
  ])('accept a payment event that is %i ms old: %s', (age, fine) => {
    const { body, headers } = sandbox().paymentEvent(newOrder(), 'paid')
    fixture.time.now += age
    if (fine) expect(sandbox().verify(body, headers)).toBeDefined()
    else invalid(body, headers)
  })
})
