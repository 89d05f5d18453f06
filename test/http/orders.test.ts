import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { subscriber } from '#test/support/fixtures/kept-client.ts'
import { siteClient, withStore } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const YEAR = 365 * 24 * 3_600_000
const FORM = { plan: 'year', email: 'Ann@Example.com', lang: 'en' }

const ordered = async (program: Program, form: object = FORM, client = siteClient(program)) =>
  (await (await client.send('POST', '/api/v1/orders', form)).json()) as { id: string; url: string }
const stateOf = async (program: Program, id: string) => (await siteClient(program).json(`/api/v1/orders/${id}`)).state
const simulate = (program: Program, id: string, outcome: string, headers?: Record<string, string>) =>
  siteClient(program).send('POST', `/api/v1/sandbox/${id}`, { outcome }, headers)

const metric = async ({ metricsUrl }: Program, sample: string): Promise<number> => {
  const line = (await (await fetch(metricsUrl)).text()).split('\n').find((each) => each.startsWith(sample))
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('with the sandbox', () => {
  let program: Program
  beforeAll(async () => {
    program = await startProgram({ env: WITHOUT_LIMITS })
  })
  afterAll(() => program.stop())

  test('an order grants nothing before the payment, a year after it, and sends a receipt', async () => {
    const client = siteClient(program)
    const { id, url } = await ordered(program, FORM, client)
    expect(id).toMatch(/^[\w-]{22}$/)
    expect(url).toBe(`${program.url}/en/checkout?order=${id}`)
    expect(client.cookies.get('mayfly_browser')).toMatch(/^[\w-]{43}$/)
    expect(await client.json(`/api/v1/orders/${id}`)).toEqual({
      id,
      plan: 'year',
      years: 1,
      total: { amount: 8600, currency: 'USD' },
      state: 'open',
      sandbox: true,
      forAccount: false,
      signsIn: false,
    })
    const all = () => withStore(program, ({ subscriptions }) => subscriptions.list(10))
    expect(await all()).toEqual([])

    expect((await simulate(program, id, 'paid')).status).toBe(204)
    expect(await stateOf(program, id)).toBe('paid')
    const [subscription] = await all()
    expect(subscription).toMatchObject({ plan: 'year', language: 'en', renews: false, lapsed: false })
    expect(Math.abs(subscription!.paidUntil - Date.now() - YEAR)).toBeLessThan(2 * 24 * 3_600_000)
    const mail = await outboxOf(program).next('Ann@example.com', 'receipt')
    expect(mail.link.href).toBe(`${program.url}/en/account`)

    // Another click, and another button: it is paid.
    for (const outcome of ['paid', 'declined', 'underpaid'])
      expect((await simulate(program, id, outcome)).status).toBe(204)
    expect(await stateOf(program, id)).toBe('paid')
    expect(await all()).toMatchObject([{ paidUntil: subscription!.paidUntil }])
    expect((await outboxOf(program).all()).map(({ file }) => file.includes('-receipt-'))).toEqual([true])
    expect(await metric(program, 'mayfly_grants_total{plan="year",provider="sandbox"}')).toBe(1)
    expect(await metric(program, 'mayfly_orders_total{plan="year",provider="sandbox",state="paid"}')).toBe(1)
  })

  test.each(['declined', 'expired', 'underpaid'])('%s grants nothing', async (outcome) => {
    const { id } = await ordered(program, { ...FORM, email: `${outcome}@example.com`, plan: 'crypto', years: 3 })
    expect((await simulate(program, id, outcome)).status).toBe(204)
    expect(await stateOf(program, id)).toBe(outcome)
    const found = await withStore(program, async ({ subscriptions }) => subscriptions.list(100))
    expect(found).toHaveLength(1)
    expect((await simulate(program, id, 'paid')).status).toBe(204)
    expect(await stateOf(program, id)).toBe('paid')
    await withStore(program, async ({ subscriptions, orders }) => {
      const { emailKey } = (await orders.find(id))!
      await subscriptions.remove((await subscriptions.findByEmail(emailKey))!.id)
    })
  })

  test.each([
    [{ ...FORM, plan: 'week' }, [400, 'invalid_request']],
    [{ ...FORM, plan: 'crypto', years: 4 }, [422, 'plan_invalid']],
    [{ ...FORM, plan: 'crypto', years: 0 }, [422, 'plan_invalid']],
    [{ ...FORM, email: 'ann@' }, [422, 'email_invalid']],
    [{ ...FORM, years: '1' }, [400, 'invalid_request']],
    [{ ...FORM, more: 1 }, [400, 'invalid_request']],
    [{}, [400, 'invalid_request']],
  ])('refuses %j: %j', async (form, problem) =>
    expect(await answerOf(siteClient(program).send('POST', '/api/v1/orders', form))).toEqual(problem),
  )

  test('an order that names an account is only for that account', async () => {
    const [ann, bob] = [await subscriber(program), await subscriber(program)]
    const order = { plan: 'month', account: ann.subscription.id, lang: 'en' }
    for (const client of [bob.client, siteClient(program)]) {
      expect(await answerOf(client.send('POST', '/api/v1/orders', order))).toEqual([401, 'not_signed_in'])
      const form = new URLSearchParams({ ...order, years: '1' })
      const shown = await client.send('POST', '/actions/order', form)
      expect([shown.status, (await shown.text()).includes(ann.email)]).toEqual([401, false])
    }
    const { id } = await ordered(program, order, ann.client)
    const { emailKey } = (await withStore(program, ({ orders }) => orders.find(id)))!
    expect(emailKey).toBe(ann.subscription.emailKey)
    const seen = [ann.client, bob.client].map((client) => client.json(`/api/v1/orders/${id}`))
    expect((await Promise.all(seen)).map(({ forAccount }) => forAccount)).toEqual([true, false])
  })

  test('refuses requests of another site, or without an origin', async () => {
    const { id } = await ordered(program)
    for (const origin of ['https://evil.example', 'null', '']) {
      const order = siteClient(program).send('POST', '/api/v1/orders', FORM, { origin })
      expect(await answerOf(order)).toEqual([403, 'forbidden_origin'])
      expect(await answerOf(simulate(program, id, 'paid', { origin }))).toEqual([403, 'forbidden_origin'])
    }
    expect(await stateOf(program, id)).toBe('open')
  })

  test('responds with 404 to unknown orders', async () => {
    for (const id of ['a'.repeat(22), 'x', '..%2F', 'a'.repeat(5000)])
      expect(await answerOf(siteClient(program).send('GET', `/api/v1/orders/${id}`))).toEqual([404, 'order_not_found'])
    expect(await answerOf(simulate(program, 'a'.repeat(22), 'paid'))).toEqual([404, 'order_not_found'])
    const { id } = await ordered(program)
    expect(await answerOf(simulate(program, id, 'refunded'))).toEqual([400, 'invalid_request'])
  })

  test('payment events of unused providers get 404', async () => {
    for (const sender of ['stripe', 'btcpay', 'sandbox', 'operator']) {
      const response = await fetch(`${program.url}/webhooks/${sender}`, { method: 'POST', body: '{}' })
      expect([404, 405], sender).toContain(response.status)
    }
  })

  describe('without JavaScript', () => {
    const post = (action: string, fields: Record<string, string>, headers?: Record<string, string>) =>
      siteClient(program).send('POST', `/actions/${action}`, new URLSearchParams(fields), headers)

    test('the form leads to the checkout, and its buttons to the state of the order', async () => {
      const form = { plan: 'month', years: '1', email: 'bob@example.com', lang: 'en', website: '' }
      const response = await post('order', form)
      expect(response.status).toBe(303)
      const url = new URL(response.headers.get('location') ?? '')
      expect(url.pathname).toBe('/en/checkout')
      const id = url.searchParams.get('order') ?? ''
      const simulated = await post('sandbox', { order: id, outcome: 'paid', lang: 'en' })
      expect([simulated.status, simulated.headers.get('location')]).toEqual([303, `/en/checkout?order=${id}`])
      expect(await stateOf(program, id)).toBe('paid')
    })

    test('a refused form is shown again with its input and the reason, and not in a URL', async () => {
      const response = await post('order', { plan: 'crypto', years: '2', email: 'bob@nowhere', lang: 'en' })
      expect(response.status).toBe(422)
      const page = await response.text()
      expect(page).toContain('value="bob@nowhere"')
      expect(page).toContain('This doesn’t look like a valid email address')
    })

    test('invalid input and requests of another site change nothing', async () => {
      const { id } = await ordered(program)
      const refused = await post('sandbox', { order: id, outcome: 'won', lang: 'en' })
      expect(refused.headers.get('location')).toBe('/en/premium?error=invalid_request')
      const foreign = await post('order', { ...FORM }, { origin: 'https://evil.example' })
      expect(foreign.headers.get('location')).toBe('/en/premium?error=forbidden_origin')
    })
  })

  test('the Premium page gets the end of what a subscriber has paid', async () => {
    const { client, email } = await subscriber(program)
    const [own, other] = await Promise.all(
      [client, siteClient(program)].map((each) => each.json('/en/premium/_payload.json')),
    )
    expect(own.data.account).toMatchObject({ email, paidUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) })
    expect(other.data.account).toBeNull()
  })
})

test('orders of one client are limited as configured; invalid input does not count', async () => {
  const env = { ...WITHOUT_LIMITS, MAYFLY_ORDER_BURST: '2', MAYFLY_ORDER_SECONDS: '40' }
  const program = await startProgram({ env })
  const client = siteClient(program)
  const order = (form: object = FORM) => client.send('POST', '/api/v1/orders', form)
  for (let i = 0; i < 5; i++) expect((await order({ ...FORM, email: '' })).status).toBe(422)
  expect((await order()).headers.get('ratelimit-remaining')).toBe('1')
  expect((await order()).status).toBe(201)
  const refused = await order()
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30)
  expect(await answerOf(refused)).toEqual([429, 'too_many_requests'])
  await program.stop()
})

test('orders for one email address are limited per network and for all clients together, except those of its account', async () => {
  const limits = { MAYFLY_ORDER_BURST: '2', MAYFLY_ORDER_SECONDS: '40' }
  // The sandbox of `auto` accepts no request through a proxy.
  const env = { ...WITHOUT_LIMITS, ...limits, MAYFLY_PAYMENT_SANDBOX: 'on' }
  const program = await startProgram({ env })
  const owner = await subscriber(program)
  const order = (from: string, email = owner.email, client = siteClient(program)) =>
    client.send('POST', '/api/v1/orders', { ...FORM, email }, { 'x-forwarded-for': from })
  const statuses = async (clients: readonly string[]) => {
    const responses = await Promise.all(clients.map((from) => order(from)))
    return responses.map(({ status }) => status).toSorted()
  }
  // What one client is refused does not count.
  expect(await statuses(Array.from({ length: 4 }, () => '203.0.113.200'))).toEqual([201, 201, 429, 429])
  for (const email of [owner.email, ` ${owner.email.toUpperCase()}`])
    expect((await order(`203.0.113.${email.length}`, email)).status).toBe(201)
  const refused = await order('203.0.113.9')
  expect(await answerOf(refused)).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(700)
  expect((await order('203.0.113.9', 'other@example.org')).status).toBe(201)

  const wide = (count: number) => Array.from({ length: count }, (_, i) => `2001:db8:0:${i}::1`)
  expect(await statuses(wide(5))).toEqual([201, 201, 201, 201, 429])
  expect(await statuses(Array.from({ length: 33 }, (_, i) => `198.51.${i}.1`))).toEqual([
    ...Array<number>(32).fill(201),
    429,
  ])
  const last = await order('192.0.2.1')
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeLessThanOrEqual(80)
  expect((await order('192.0.2.1', 'other@example.org')).status).toBe(201)
  expect((await order('192.0.2.1', owner.email, owner.client)).status).toBe(201)
  await program.stop()
})

test('without a provider nothing is sold, and there is no sandbox', async () => {
  const program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_PAYMENT_SANDBOX: 'off' } })
  const client = siteClient(program)
  expect(await answerOf(client.send('POST', '/api/v1/orders', FORM))).toEqual([422, 'plan_invalid'])
  expect(await answerOf(simulate(program, 'a'.repeat(22), 'paid'))).toEqual([404, 'not_found'])
  const { data } = await client.json('/en/premium/_payload.json')
  expect(data.plans).toMatchObject({ sold: [], sandbox: false })
  await program.stop()
})
