import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { type FakeBtcpay, startFakeBtcpay } from '#test/support/fakes/btcpay.ts'
import { type FakeStripe, startFakeStripe } from '#test/support/fakes/stripe.ts'
import { siteClient } from '#test/support/fixtures/subscriber.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const MAX_BYTES = 20_000

let stripe: FakeStripe
let btcpay: FakeBtcpay
let program: Program
beforeAll(async () => {
  ;[stripe, btcpay] = await Promise.all([startFakeStripe(), startFakeBtcpay()])
  const limits = { MAYFLY_PAGE_REQUESTS_PER_SECOND: '1', MAYFLY_PAYMENT_EVENT_MAX_BYTES: String(MAX_BYTES) }
  program = await startProgram({ env: { ...WITHOUT_LIMITS, ...limits, ...stripe.env, ...btcpay.env } })
})
afterAll(async () => {
  await program.stop()
  await Promise.all([stripe.close(), btcpay.close()])
})

const send = (name: 'stripe' | 'btcpay', body: string, headers: Record<string, string>) =>
  fetch(`${program.url}/webhooks/${name}`, { method: 'POST', body, headers })
const tell = (event: object) => {
  const body = JSON.stringify(event)
  return send('stripe', body, { ...stripe.sign(body), 'content-type': 'application/json; charset=utf-8' })
}
const order = async (plan: string): Promise<string> => {
  const form = { plan, email: 'canary@example.org', lang: 'en' }
  return ((await (await siteClient(program).send('POST', '/api/v1/orders', form)).json()) as { id: string }).id
}
const stateOf = async (id: string) => (await siteClient(program).json(`/api/v1/orders/${id}`)).state

test('accepts events of Stripe, also duplicates, without a rate limit', async () => {
  const id = await order('month')
  stripe.pay(stripe.sessionOf(id).id)
  for (let i = 0; i < 3; i++)
    for (const event of stripe.events) {
      const response = await tell(event)
      expect([response.status, await response.text()]).toEqual([200, ''])
    }
  expect(await stateOf(id)).toBe('paid')
})

test('accepts events of BTCPay Server', async () => {
  const id = await order('crypto')
  btcpay.pay(btcpay.invoiceOf(id).id)
  for (const event of btcpay.events) {
    const body = JSON.stringify(event)
    expect((await send('btcpay', body, btcpay.sign(body))).status).toBe(200)
  }
  expect(await stateOf(id)).toBe('paid')
})

test('the signature covers the raw bytes, whatever their declared type', async () => {
  const body = `\n  ${JSON.stringify(stripe.events[0])}  \n`
  for (const type of [
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
  ])
    expect((await send('stripe', body, { ...stripe.sign(body), 'content-type': type })).status, type).toBe(200)
})

test.each([
  ['another secret', (body: string) => stripe.sign(body, { secret: 'whsec_other' })],
  ['another body', (body: string) => stripe.sign(`${body} `)],
  ['another time', (body: string) => stripe.sign(body, { time: Date.now() - 302_000 })],
  ['none', () => ({})],
])('refuses a signature of %s', async (_of, sign) => {
  const id = await order('year')
  stripe.pay(stripe.sessionOf(id).id)
  const body = JSON.stringify(stripe.events.at(-1))
  const response = await send('stripe', body, sign(body))
  expect(await answerOf(response)).toEqual([400, 'signature_invalid'])
  expect(await stateOf(id)).toBe('open')
})

test('refuses an empty body and invalid JSON', async () => {
  for (const name of ['stripe', 'btcpay'] as const) {
    expect((await send(name, '', {})).status).toBe(400)
    expect((await send(name, 'nonsense', {})).status).toBe(400)
  }
})

test('a signed body that is not an event, and a malformed signature, are client errors', async () => {
  for (const body of ['nonsense', 'null', '{}', '']) {
    expect((await send('stripe', body, stripe.sign(body))).status).toBe(400)
    expect((await send('btcpay', body, btcpay.sign(body))).status).toBe(400)
  }
  const response = await send('stripe', '{}', { 'stripe-signature': 't=1,v1=' })
  expect(await answerOf(response)).toEqual([400, 'signature_invalid'])
})

test.each([
  [MAX_BYTES - 1, 200],
  [MAX_BYTES, 200],
  [MAX_BYTES + 1, 413],
])('%d bytes: %d', async (bytes, status) => {
  const body = JSON.stringify(stripe.events[0]).padEnd(bytes)
  expect((await send('stripe', body, stripe.sign(body))).status).toBe(status)
})

test("while Stripe can't be reached the response asks for a retry, which then succeeds", async () => {
  const id = await order('year')
  stripe.pay(stripe.sessionOf(id).id)
  const paid = stripe.events.findLast(({ type }) => type === 'invoice.paid')!
  stripe.faults.fail(500)
  expect((await tell(paid)).status).toBe(503)
  stripe.faults.heal()
  expect((await tell(paid)).status).toBe(200)
  expect(await stateOf(id)).toBe('paid')
})

test('only POST is accepted, and a form may lead to the checkouts', async () => {
  const page = await fetch(`${program.url}/webhooks/stripe`)
  expect(page.status).toBe(404)
  expect(page.headers.get('content-security-policy')).toContain(
    `form-action 'self' https://checkout.stripe.com ${new URL(btcpay.url).origin}`,
  )
})

test('the log names nobody', () => {
  const log = [...program.stdout, ...program.stderr].join('\n')
  expect(log).not.toContain('canary')
  expect(log).not.toContain(stripe.secretKey)
})

test('events have a separate limit, checked before the body is read, and failures log one line per minute', async () => {
  const env = { MAYFLY_PAYMENT_EVENTS_PER_SECOND: '20', ...stripe.env, ...btcpay.env }
  const limited = await startProgram({ env })
  try {
    const call = (name: string, client: string) =>
      fetch(`${limited.url}/webhooks/${name}`, {
        method: 'POST',
        body: 'x'.repeat(1000),
        headers: { 'stripe-signature': 't=1,v1=', 'x-forwarded-for': client },
      })
    const names = Array.from({ length: 120 }, (_, i) => (i % 2 === 0 ? 'stripe' : 'btcpay'))
    const answers = await Promise.all(names.map((name) => call(name, '192.0.2.1')))
    const counts = Map.groupBy(answers, ({ status }) => status)
    expect([...counts.keys()].toSorted()).toEqual([400, 429])
    expect(counts.get(400)!.length).toBeGreaterThanOrEqual(20)
    expect(counts.get(429)![0]!.headers.get('retry-after')).toBe('1')
    expect((await call('stripe', '192.0.2.2')).status).toBe(400)
    const lines = limited.stderr.filter((line) => line.includes('payment event refused'))
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ level: 'warn', provider: 'stripe', code: 'signature_invalid' }),
        expect.objectContaining({ level: 'warn', provider: 'btcpay', code: 'signature_invalid' }),
      ]),
    )
    expect(lines).toHaveLength(2)
  } finally {
    await limited.stop()
  }
})
