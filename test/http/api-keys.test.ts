import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { answerOf } from '#test/support/codes.ts'
import { type SiteClient, signedIn, subscribeIn, withStore } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { call } from '#test/support/program/api.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'

const KEYS = '/api/v1/account/keys'
const ADDRESSES_MAX = 8
const PER_SECOND = 50
/** Without a key. */
const FREE_PER_SECOND = 8
const STREAMS = 2
const EMAIL = 'ann@real.example'

let program: Program
let ann: SiteClient

beforeAll(async () => {
  program = await startProgram({
    env: {
      MAYFLY_PREMIUM_KEY_ADDRESSES_MAX: String(ADDRESSES_MAX),
      MAYFLY_PREMIUM_KEY_CACHE_SECONDS: '1',
      MAYFLY_PREMIUM_DOMAINS: 'vip.mayfly.test',
      // New addresses have a separate limit.
      MAYFLY_API_REQUESTS_PER_SECOND: '1000',
      MAYFLY_SIGN_IN_BURST: '100',
      MAYFLY_STREAMS_PER_IP_MAX: String(STREAMS),
    },
  })
  await subscribeIn(program, EMAIL)
  ann = await signedIn(program, EMAIL)
})
afterAll(() => program.stop())

/** Calls the API with a key, and with the secret of an address. */
const keyed = (token: string, method: string, path: string, body?: object, secret?: string): Promise<Response> =>
  fetch(program.url + path, {
    method,
    headers: {
      'x-api-key': token,
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

async function newKey(label = 'Tests', client = ann): Promise<{ id: string; token: string }> {
  const response = await client.send('POST', KEYS, { label })
  expect(response.status).toBe(201)
  return (await response.json()) as { id: string; token: string }
}
const revoke = async ({ id }: { id: string }): Promise<void> =>
  expect((await ann.send('DELETE', `${KEYS}/${id}`)).status).toBe(204)
describe('the keys of a subscriber', () => {
  test('revoke themselves', async () => {
    const { id, token } = await newKey('Extension')
    expect((await keyed(token, 'DELETE', '/api/v1/key')).status).toBe(204)
    expect((await ann.json(KEYS)).keys.map((each: { id: string }) => each.id)).not.toContain(id)
    await expect.poll(async () => (await keyed(token, 'GET', '/api/v1/domains')).status).toBe(401)
    const without = await call(program.url, 'DELETE', '/api/v1/key')
    expect(await answerOf(without)).toEqual([401, 'key_invalid'])
    expect(without.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('are created once, listed without their tokens, and removed when they are revoked', async () => {
    const made = await newKey('  My \n tests ')
    expect(made).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      label: 'My tests',
      token: expect.stringMatching(/^mfk_[\w-]{43}$/),
      createdAt: expect.stringMatching(/Z$/),
      usedAt: null,
    })
    const { token, ...shown } = { usedAt: null, ...made }
    expect(await ann.json(KEYS)).toEqual({
      keys: [shown],
      limits: { keys: 5, requestsPerSecond: PER_SECOND, addresses: ADDRESSES_MAX, revocationSeconds: 1 },
    })
    expect((await keyed(token, 'GET', '/api/v1/domains')).status).toBe(200)
    expect((await ann.json(KEYS)).keys[0].usedAt).toMatch(/Z$/)
    await revoke(made)
    expect(await ann.json(KEYS)).toMatchObject({ keys: [] })
    expect(await answerOf(ann.send('DELETE', `${KEYS}/${made.id}`))).toEqual([404, 'key_not_found'])
  })

  test('are five at most', async () => {
    const made = []
    for (let i = 0; i < 5; i++) made.push(await newKey(`Key ${i}`))
    const refused = await ann.send('POST', KEYS, { label: 'One more' })
    expect(await answerOf(refused)).toEqual([409, 'keys_full'])
    for (const each of made) await revoke(each)
  })

  test('need a name, a request of the site, a session and Premium', async () => {
    for (const label of ['', ' \n ', 'x'.repeat(41)])
      expect(await answerOf(ann.send('POST', KEYS, { label }))).toEqual([422, 'label_invalid'])
    expect(await answerOf(ann.send('POST', KEYS, { label: 'A' }, { origin: 'https://other.example' }))).toEqual([
      403,
      'forbidden_origin',
    ])
    expect((await call(program.url, 'GET', KEYS)).status).toBe(401)
    await subscribeIn(program, 'over@real.example', { paidUntil: Date.now() - DAY })
    const over = await signedIn(program, 'over@real.example')
    const refused = await over.send('POST', KEYS, { label: 'A' })
    expect(await answerOf(refused)).toEqual([403, 'premium_required'])
    expect(await over.json(KEYS)).toMatchObject({ keys: [] })
  })
})

describe('a program with a key', () => {
  test('creates addresses without the limit per IP address, up to the maximum of live ones', async () => {
    const { token, ...key } = await newKey()
    const make = (request: object = {}) => keyed(token, 'POST', '/api/v1/addresses', request)
    const answers = await Promise.all(Array.from({ length: ADDRESSES_MAX + 4 }, () => make()))
    const made = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(made).toHaveLength(ADDRESSES_MAX)
    expect(await Promise.all(refused.map(answerOf))).toEqual(Array.from({ length: 4 }, () => [409, 'addresses_full']))
    expect(made[0]?.headers.get('ratelimit-limit')).toBe(String(PER_SECOND))

    // Another key of the same subscriber shares the maximum. Deleted addresses make room.
    const other = await newKey('Other')
    expect(await (await keyed(other.token, 'POST', '/api/v1/addresses')).json()).toMatchObject({
      code: 'addresses_full',
      detail: expect.stringMatching(`${ADDRESSES_MAX} addresses.*DELETE /api/v1/key/addresses`),
    })
    const created = await Promise.all(
      made.map(async (each) => (await each.json()) as { secret: string; lifetime: string }),
    )
    expect(created.every(({ lifetime }) => lifetime === 'day')).toBe(true)
    const [first, ...rest] = created
    const replaced = await keyed(token, 'POST', '/api/v1/addresses', { replace: true }, first!.secret)
    expect(replaced.status).toBe(201)
    created[0] = (await replaced.json()) as { secret: string; lifetime: string }
    expect((await keyed(token, 'GET', '/api/v1/address', undefined, first!.secret)).status).toBe(401)

    const statusOf = async ({ secret }: { secret: string }) =>
      (await keyed(token, 'GET', '/api/v1/address', undefined, secret)).status
    expect((await keyed(other.token, 'DELETE', '/api/v1/key/addresses')).status).toBe(204)
    expect(await Promise.all(rest.slice(0, 5).map(statusOf))).toEqual(Array(5).fill(200))
    expect((await keyed(token, 'DELETE', '/api/v1/key/addresses')).status).toBe(204)
    expect(await Promise.all(created.slice(0, 5).map(statusOf))).toEqual(Array(5).fill(401))
    const without = await call(program.url, 'DELETE', '/api/v1/key/addresses')
    expect(await answerOf(without)).toEqual([401, 'key_invalid'])

    const premium = await make({ login: 'key.made', domain: 'vip.mayfly.test', lifetime: 'ten-minutes' })
    const { secret, ...address } = (await premium.json()) as Record<string, string>
    expect(address).toMatchObject({ address: 'key.made@vip.mayfly.test', lifetime: 'ten-minutes' })
    expect(await answerOf(make({ login: 'key.made', domain: 'vip.mayfly.test' }))).toEqual([409, 'address_taken'])
    expect(await answerOf(make({ domain: 'strange.example' }))).toEqual([422, 'domain_unknown'])
    await sendMail(program.smtpPort, { to: 'key.made@vip.mayfly.test', subject: 'Hello', text: 'Your code is 123987' })
    const inbox = await keyed(token, 'GET', '/api/v1/messages?wait=10', undefined, secret)
    expect(await inbox.json()).toMatchObject({ messages: [{ subject: 'Hello', code: '123987' }] })
    const state = await keyed(token, 'GET', '/api/v1/address', undefined, secret)
    // They follow the rules of free addresses and are not on the subscriber's list.
    expect(await state.json()).toMatchObject({ storage: { limitBytes: 40 * 1024 * 1024 } })
    expect(await ann.json('/api/v1/account/addresses')).toEqual({ addresses: [] })
    await revoke(key)
    await revoke(other)
  })

  test('may make fifty requests per second, whatever else comes from the same IP address', async () => {
    const key = await newKey()
    const ask = () => keyed(key.token, 'GET', '/api/v1/domains')
    const first = await ask()
    expect(first.headers.get('ratelimit-limit')).toBe(String(PER_SECOND))
    expect(first.headers.get('ratelimit-remaining')).toBe(String(PER_SECOND - 1))
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 3 * PER_SECOND }, ask))
    const seconds = (performance.now() - began) / 1000
    const taken = answers.filter(({ status }) => status === 200).length
    expect(taken).toBeGreaterThanOrEqual(PER_SECOND - 1)
    expect(taken).toBeLessThanOrEqual(PER_SECOND * (1 + seconds) + 1)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('1')
    // The limit of the IP address is not used, and a second key has a separate limit.
    const free = await call(program.url, 'GET', '/api/v1/domains')
    expect([free.status, free.headers.get('ratelimit-limit')]).toEqual([200, '1000'])
    const other = await newKey('Other')
    expect((await keyed(other.token, 'GET', '/api/v1/domains')).status).toBe(200)
    await revoke(key)
    await revoke(other)
  })

  test('holds ten times as many streams and requests as an IP address, beside those without a key', async () => {
    const key = await newKey()
    const made = await keyed(key.token, 'POST', '/api/v1/addresses')
    const { secret } = (await made.json()) as { secret: string }
    const open = (path: string, token?: string) =>
      fetch(program.url + path, {
        headers: { authorization: `Bearer ${secret}`, ...(token === undefined ? {} : { 'x-api-key': token }) },
      })
    const streams = []
    for (let i = 0; i < STREAMS; i++) streams.push(await open('/api/v1/events'))
    for (let i = 0; i < 10 * STREAMS; i++) streams.push(await open('/api/v1/events', key.token))
    expect(streams.map(({ status }) => status)).toEqual(Array(11 * STREAMS).fill(200))
    for (const token of [key.token, undefined]) {
      const refused = await open('/api/v1/messages?wait=1', token)
      expect(await answerOf(refused)).toEqual([429, 'too_many_requests'])
      expect(refused.headers.has('retry-after')).toBe(true)
    }
    await streams.pop()?.body?.cancel()
    await expect.poll(async () => (await open('/api/v1/messages?wait=1', key.token)).status).toBe(200)
    await Promise.all(streams.map(({ body }) => body?.cancel()))
    await keyed(key.token, 'DELETE', '/api/v1/address', undefined, secret)
    await revoke(key)
  })

  test('works in browsers of other sites', async () => {
    const preflight = await fetch(`${program.url}/api/v1/addresses`, { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Api-Key')
  })
})

describe('an invalid key', () => {
  const WRONG = ['', 'mfk_', 'secret', `mfk_${'A'.repeat(43)}`, `mfk_${'A'.repeat(20_000)}`.slice(0, 8000)]

  test.each(WRONG)('is refused and not ignored: %.12s', async (token) => {
    await expect.poll(async () => (await keyed(token, 'GET', '/api/v1/domains')).status).toBe(401)
    for (const [method, path] of [
      ['GET', '/api/v1/domains'],
      ['POST', '/api/v1/addresses'],
    ] as const) {
      const refused = await keyed(token, method, path)
      expect(await answerOf(refused)).toEqual([401, 'key_invalid'])
    }
  })

  test('revoked, or of an ended subscription, is refused', async () => {
    const revoked = await newKey()
    expect((await keyed(revoked.token, 'GET', '/api/v1/domains')).status).toBe(200)
    await revoke(revoked)
    await expect.poll(async () => (await keyed(revoked.token, 'GET', '/api/v1/domains')).status).toBe(401)

    const subscription = await subscribeIn(program, 'ends@real.example')
    const client = await signedIn(program, 'ends@real.example')
    const { token } = await newKey('Tests', client)
    const made = await keyed(token, 'POST', '/api/v1/addresses')
    const { address, secret } = (await made.json()) as { address: string; secret: string }
    await withStore(program, async ({ subscriptions }) => {
      const { revision } = (await subscriptions.find(subscription.id))!
      await subscriptions.change(subscription.id, revision, { paidUntil: Date.now() - DAY })
    })
    await expect.poll(async () => (await keyed(token, 'GET', '/api/v1/domains')).status).toBe(401)
    // Its addresses live until they expire.
    const state = await call(program.url, 'GET', '/api/v1/address', undefined, secret)
    expect(await state.json()).toMatchObject({ address })
  })
})

describe('with the default limits', () => {
  let strict: Program
  beforeAll(async () => {
    strict = await startProgram()
  })
  afterAll(() => strict.stop())

  test('guessing keys is limited like free requests, and does not affect holders of keys', async () => {
    await subscribeIn(strict, EMAIL)
    const client = await signedIn(strict, EMAIL)
    const { token } = (await (await client.send('POST', KEYS, { label: 'Tests' })).json()) as { token: string }
    const ask = (key: string) => fetch(`${strict.url}/api/v1/domains`, { headers: { 'x-api-key': key } })
    // Concurrent requests cause one look-up.
    const first = await Promise.all(Array.from({ length: PER_SECOND }, () => ask(token)))
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]))
    const began = performance.now()
    const guesses = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(`mfk_${String(i).padStart(43, 'B')}`)))
    const statuses = guesses.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    const seconds = (performance.now() - began) / 1000
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(FREE_PER_SECOND * (1 + seconds) + 1)
    expect(guesses.find(({ status }) => status === 429)?.headers.get('ratelimit-limit')).toBe('8')
    // Neither is a key that this node has not seen yet.
    const fresh = (await (await client.send('POST', KEYS, { label: 'Fresh' })).json()) as { token: string }
    for (const key of [token, fresh.token]) expect((await ask(key)).status).toBe(200)
    // Clients without a key are not affected either.
    expect((await fetch(`${strict.url}/api/v1/domains`)).status).toBe(200)
  })
})
