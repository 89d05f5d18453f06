import { beforeAll, describe, expect, test } from 'vitest'
import { call, clientOf, createAddress } from '#test/support/program/api.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

const create = (body?: unknown, secret?: string) => call(program.url, 'POST', '/api/v1/addresses', body, secret)

async function problem(response: Response): Promise<[number, string]> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const { status, code, title, type } = (await response.json()) as any
  expect(status).toBe(response.status)
  expect(title).toMatch(/\w/)
  expect(type).toBe('about:blank')
  return [status, code]
}

describe('POST /api/v1/addresses', () => {
  test('responds with 201 and exactly address, secret, expiresAt and lifetime', async () => {
    const response = await create({})
    expect(response.status).toBe(201)
    const body: any = await response.json()
    expect(Object.keys(body).toSorted()).toEqual(['address', 'expiresAt', 'lifetime', 'secret'])
    expect(body.lifetime).toBe('day')
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
  })

  test('needs no body', async () => expect((await create()).status).toBe(201))

  test('accepts a login, a domain and a lifetime', async () => {
    const body: any = await (
      await create({ login: 'Chosen_One-7', domain: 'DAYFLY.test', lifetime: 'ten-minutes' })
    ).json()
    expect(body).toMatchObject({ address: 'chosen_one-7@dayfly.test', lifetime: 'ten-minutes' })
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000)
  })

  test.each([
    ['ab', 'login_invalid'],
    ['abc', null],
    ['a'.repeat(64), null],
    ['a'.repeat(65), 'login_invalid'],
    ['.abc', 'login_invalid'],
    ['abc.', 'login_invalid'],
    ['a..bc', 'login_invalid'],
    ['a+bc', 'login_invalid'],
    ['a bc', 'login_invalid'],
    ['a@bc', 'login_invalid'],
    ['jürgen', 'login_invalid'],
    ['', 'login_invalid'],
    ['a\r\nbc', 'login_invalid'],
  ])('login %j: %s', async (login, code) => {
    const response = await create({ login })
    if (code === null) expect(response.status).toBe(201)
    else expect(await problem(response)).toEqual([422, code])
  })

  test.each([
    'postmaster',
    'abuse',
    'Admin',
    'ROOT',
    'security',
    'noreply',
    'no-reply',
    'no.reply',
    'a.d.m.i.n',
    'post_master',
    'web-master',
    'adm1n',
    'r00t',
    'supp0rt',
    'postmaster.',
    'hostmaster1',
    'mayfly',
  ])('refuses the reserved login %s', async (login) => {
    const [status, code] = await problem(await create({ login }))
    expect(status).toBe(422)
    expect(['login_reserved', 'login_invalid']).toContain(code)
  })

  test.each(['ａｄｍｉｎ', 'аdmin', 'admın', 'pоstmaster', 'admin+x', '\u200badmin'])(
    'refuses the lookalike %s',
    async (login) => expect((await problem(await create({ login })))[0]).toBe(422),
  )

  test('a login that is taken: 409', async () => {
    await create({ login: 'taken.one' })
    expect(await problem(await create({ login: 'taken.one' }))).toEqual([409, 'address_taken'])
    expect(await problem(await create({ login: 'Taken.One' }))).toEqual([409, 'address_taken'])
    expect((await create({ login: 'taken.one', domain: 'dayfly.test' })).status).toBe(201)
  })

  test('an unknown domain: 422, a premium one: 403', async () => {
    expect(await problem(await create({ domain: 'gmail.com' }))).toEqual([422, 'domain_unknown'])
    expect(await problem(await create({ domain: 'vip.mayfly.test' }))).toEqual([403, 'premium_required'])
  })

  test.each([
    ['unknown fields', { lgoin: 'abc' }],
    ['another lifetime', { lifetime: 'for-ever' }],
    ["the operator's lifetime", { lifetime: 'operator' }],
    ['an object for a login', { login: { $ne: 1 } }],
    ['an array', []],
    ['a string', 'abc'],
  ])('%s: 400', async (_name, body) => expect(await problem(await create(body))).toEqual([400, 'invalid_request']))

  test('creates a name exactly once for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ login: 'race.for-it' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
  })
})

describe('/api/v1/address', () => {
  test('returns the address', async () => {
    const owner = await createAddress(program.url)
    const body = await owner.json('/api/v1/address')
    expect(Object.keys(body).toSorted()).toEqual(['address', 'createdAt', 'expiresAt', 'lifetime', 'storage'])
    expect(body.storage).toEqual({ usedBytes: 0, limitBytes: 41_943_040 })
  })

  test('401 is the same for a missing, a wrong and an expired secret', async () => {
    const owner = await createAddress(program.url)
    expect((await owner.send('DELETE', '/api/v1/address')).status).toBe(204)
    const answers = await Promise.all(
      [undefined, 'x', 'A'.repeat(43), owner.secret, `${owner.secret}A`, "' OR 1=1 --"].map(async (secret) => {
        const response = await call(program.url, 'GET', '/api/v1/address', undefined, secret)
        expect(response.headers.get('www-authenticate')).toBe('Bearer')
        return [response.status, await response.text()]
      }),
    )
    expect(new Set(answers.map(String)).size).toBe(1)
    expect(answers[0]?.[0]).toBe(401)
  })

  test('extend restarts ten minutes; reading does not', async () => {
    const owner = await createAddress(program.url, { lifetime: 'ten-minutes' })
    const first = Date.parse((await owner.json('/api/v1/address')).expiresAt)
    expect(Date.parse((await owner.json('/api/v1/address')).expiresAt)).toBe(first)
    const extended: any = await (await owner.send('POST', '/api/v1/address/extend')).json()
    expect(Date.parse(extended.expiresAt)).toBeGreaterThan(first)
    expect(Date.parse(extended.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000)
  })

  test('a deleted address is refused to others and returned to its holder', async () => {
    const owner = await createAddress(program.url, { login: 'come.back' })
    expect((await owner.send('DELETE', '/api/v1/address')).status).toBe(204)
    expect(await problem(await create({ login: 'come.back' }))).toEqual([409, 'address_taken'])
    const again = await create({ login: 'come.back' }, owner.secret)
    expect(again.status).toBe(201)
    const { secret }: any = await again.json()
    expect(secret).not.toBe(owner.secret)
    expect((await clientOf(program.url, '', owner.secret).get('/api/v1/address')).status).toBe(401)
  })

  test('replace deletes the old address only after the new one exists', async () => {
    const owner = await createAddress(program.url, { login: 'old.one' })
    expect((await create({ login: 'admin', replace: true }, owner.secret)).status).toBe(422)
    expect((await owner.get('/api/v1/address')).status).toBe(200)
    expect((await create({ login: 'new.one', replace: true }, owner.secret)).status).toBe(201)
    expect((await owner.get('/api/v1/address')).status).toBe(401)
  })
})

test('GET /api/v1/domains lists the domains with their tiers', async () => {
  expect(await (await call(program.url, 'GET', '/api/v1/domains')).json()).toEqual({
    domains: [
      { name: 'mayfly.test', tier: 'free' },
      { name: 'dayfly.test', tier: 'free' },
      { name: 'vip.mayfly.test', tier: 'premium' },
    ],
  })
})
