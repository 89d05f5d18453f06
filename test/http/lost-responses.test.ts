import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '#core/mailbox/secret.ts'
import { deriveKeys } from '#mail/sealing/keys.ts'
import { list } from '#test/support/fixtures/kept-client.ts'
import { signedIn, type SiteClient, siteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { call, createAddress } from '#test/support/program/api.ts'
import { type SharedProgram, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const ADDRESSES = '/api/v1/addresses'

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

/** Sends a request whose response, with its cookies, never arrives. */
async function lose(client: SiteClient, path: string, body: object): Promise<number> {
  const before = new Map(client.cookies)
  const { status } = await client.send('POST', path, body)
  client.cookies.clear()
  for (const [name, value] of before) client.cookies.set(name, value)
  return status
}

async function visitor(): Promise<{ client: SiteClient; address: string }> {
  const client = siteClient(program)
  const { address } = await answer(client, {})
  return { client, address }
}

async function answer(client: SiteClient, body: object): Promise<any> {
  const response = await client.send('POST', ADDRESSES, { replace: true, ...body })
  return { status: response.status, ...((await response.json()) as object) }
}

const current = async (client: SiteClient): Promise<string> => (await client.json('/api/v1/address')).address

describe('POST /api/v1/addresses with the secret that a page chose', () => {
  test('returns the same address if it is repeated, and deletes nothing twice', async () => {
    const { client } = await visitor()
    const body = { login: 'repeated.once', secret: newSecret(), replace: true }
    expect(await lose(client, ADDRESSES, body)).toBe(201)
    expect((await client.send('GET', '/api/v1/address')).status).toBe(401)
    expect(await answer(client, body)).toMatchObject({
      status: 201,
      address: 'repeated.once@mayfly.test',
      secret: body.secret,
    })
    expect(await current(client)).toBe('repeated.once@mayfly.test')
    // Meanwhile the browser has another address, which a late repetition must not delete.
    const other = siteClient(program)
    const { address, secret } = await answer(other, {})
    expect(await answer(other, body)).toMatchObject({ status: 201, address: 'repeated.once@mayfly.test' })
    expect((await call(program.url, 'GET', '/api/v1/address', undefined, secret)).status).toBe(200)
    expect(address).not.toBe('repeated.once@mayfly.test')
  })

  test('returns one address to concurrent requests', async () => {
    const body = { secret: newSecret() }
    const all = await Promise.all(Array.from({ length: 5 }, () => answer(siteClient(program), body)))
    expect(new Set(all.map(({ address }) => address)).size).toBe(1)
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  })

  test('does not keep the secret of a refused request', async () => {
    const { client, address } = await visitor()
    await createAddress(program.url, { login: 'refused.first' })
    const secret = newSecret()
    expect(await answer(client, { login: 'refused.first', secret })).toMatchObject({ code: 'address_taken' })
    expect(await current(client)).toBe(address)
    expect(await answer(client, { login: 'refused.second', secret })).toMatchObject({ status: 201, secret })
  })

  test('takes no address over, and says nothing about a fully private one', async () => {
    const email = 'repeats@real.example'
    await subscribeIn(program, email)
    const owner = await signedIn(program, email)
    const secret = newSecret()
    const { id, publicKey } = deriveKeys(secret)!
    const request = { id, publicKey: Buffer.from(publicKey).toString('base64url') }
    expect((await owner.send('POST', '/api/v1/account/private-addresses', request)).status).toBe(201)
    expect(await answer(siteClient(program), { secret })).toMatchObject({ status: 409, code: 'address_taken' })
  })

  test.each([
    ['too short', 'a'.repeat(42)],
    ['too long', 'A'.repeat(44)],
    ['not canonical', `${'A'.repeat(42)}B`],
    ['in another alphabet', `${'A'.repeat(41)}+A`],
    ['empty', ''],
  ])('refuses a secret that is %s', async (_name, secret) =>
    expect(await answer(siteClient(program), { secret })).toMatchObject({ status: 400, code: 'invalid_request' }),
  )

  test('accepts every secret of 32 bytes', async () => {
    for (const last of [0, 1, 2, 254, 255]) {
      const secret = Buffer.from([...randomBytes(31), last]).toString('base64url')
      expect(await answer(siteClient(program), { secret })).toMatchObject({ status: 201, secret })
    }
  })

  test('is for the pages of the site only', async () => {
    const secret = newSecret()
    expect((await call(program.url, 'POST', ADDRESSES, { secret })).status).toBe(400)
    const elsewhere = { origin: 'https://elsewhere.example' }
    expect((await siteClient(program).send('POST', ADDRESSES, { secret }, elsewhere)).status).toBe(400)
    expect((await call(program.url, 'GET', '/api/v1/address', undefined, secret)).status).toBe(401)
    const document: any = await (await fetch(`${program.url}/api/v1/openapi.json`)).json()
    const { properties } = document.components.schemas.AddressRequest
    expect(Object.keys(properties)).toEqual(['login', 'domain', 'lifetime', 'replace'])
  })

  test('keeps the address of a subscriber once', async () => {
    const email = 'repeats.kept@real.example'
    await subscribeIn(program, email)
    const client = await signedIn(program, email)
    const body = { login: 'repeated.kept', secret: newSecret(), replace: true }
    expect(await lose(client, ADDRESSES, body)).toBe(201)
    expect(await answer(client, body)).toMatchObject({ status: 201, address: 'repeated.kept@mayfly.test' })
    expect(await list(client)).toHaveLength(1)
    expect(client.cookies.get('mayfly_secret')).toMatch(/^kept\./)
  })

  test.each([
    ['POST /api/v1/addresses', ADDRESSES, { replace: true }],
    ['POST /api/v1/session', '/api/v1/session', { created: true }],
  ])('keeps an address that was created before the service stopped: %s', async (_name, path, rest) => {
    const email = `repeats.${crypto.randomUUID()}@real.example`
    await subscribeIn(program, email)
    const client = await signedIn(program, email)
    const unkept = async (body: object) => {
      const secret = newSecret()
      const { address } = await answer(siteClient(program), { ...body, secret })
      return { address, response: await client.send('POST', path, { ...body, secret, ...rest }) }
    }
    const { address, response } = await unkept({})
    expect(response.ok).toBe(true)
    expect((await list(client)).map((each) => each.address)).toEqual([address])
    expect(client.cookies.get('mayfly_secret')).toMatch(/^kept\./)
  })

  test('opens an address that was created before the visitor signed in, although the list is full', async () => {
    const email = 'repeats.full@real.example'
    await subscribeIn(program, email)
    const client = await signedIn(program, email)
    while ((await client.send('POST', ADDRESSES, {})).ok);
    const [full, secret] = [await list(client), newSecret()]
    const { address } = await answer(siteClient(program), { secret })
    expect(await answer(client, { secret })).toMatchObject({ status: 201, address })
    expect(await current(client)).toBe(address)
    expect(await list(client)).toEqual(full)
  })

  test('keeps neither an address for ten minutes nor one of a recovery link', async () => {
    const email = 'repeats.free@real.example'
    await subscribeIn(program, email)
    const client = await signedIn(program, email)
    const short = { secret: newSecret(), lifetime: 'ten-minutes', replace: true }
    await answer(siteClient(program), short)
    expect(await answer(client, short)).toMatchObject({ status: 201 })
    const secret = newSecret()
    await answer(siteClient(program), { secret })
    expect((await client.send('POST', '/api/v1/session', { secret })).status).toBe(200)
    expect(await list(client)).toEqual([])
  })

  test('counts once for the limit', async () => {
    const env = { ...WITHOUT_LIMITS, MAYFLY_ADDRESS_CREATE_BURST: '1', MAYFLY_ADDRESS_CREATE_SECONDS: '1000' }
    const limited = await startProgram({ env })
    const client = siteClient(limited)
    const body = { secret: newSecret() }
    const { address } = await answer(client, body)
    expect(await answer(client, body)).toMatchObject({ status: 201, address })
    expect(await answer(client, { secret: newSecret() })).toMatchObject({ status: 429 })
    await limited.stop()
  })
})

describe('a form without JavaScript whose response was lost', () => {
  async function lost(login: string) {
    const { client, address } = await visitor()
    const secret = newSecret()
    const form = (fields: Record<string, string>) =>
      new URLSearchParams({ lang: 'en', secret, shown: address, ...fields })
    await lose(client, '/actions/change', form({ login }))
    return {
      client,
      isAlive: async () => (await call(program.url, 'GET', '/api/v1/address', undefined, secret)).status === 200,
      send: async (fields: Record<string, string>) =>
        (await client.send('POST', '/actions/change', form(fields))).headers.get('location'),
    }
  }

  test('deletes the address that it created only if it gets another one', async () => {
    const { client, isAlive, send } = await lost('lost.first.form')
    await send({ login: 'postmaster' })
    await send({ domain: 'unknown.example' })
    expect(await isAlive()).toBe(true)
    expect(await send({ login: 'lost.second.form' })).toBe('/en')
    expect(await current(client)).toBe('lost.second.form@mayfly.test')
    expect(await isAlive()).toBe(false)
  })

  test('gets the same name for another time', async () => {
    const { client, send } = await lost('lost.longer.form')
    expect(await send({ login: 'Lost.longer.form', lifetime: 'ten-minutes' })).toBe('/en')
    expect(await client.json('/api/v1/address')).toMatchObject({
      address: 'lost.longer.form@mayfly.test',
      lifetime: 'ten-minutes',
    })
  })
})

test('a repeated request for a fully private address returns it, with its keys only', async () => {
  const email = 'repeats.private@real.example'
  await subscribeIn(program, email)
  const client = await signedIn(program, email)
  const requestOf = (secret: string, login: string) => {
    const { id, publicKey } = deriveKeys(secret)!
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), login }
  }
  const path = '/api/v1/account/private-addresses'
  const body = requestOf(newSecret(), 'repeated.private')
  const first: any = await (await client.send('POST', path, body)).json()
  expect(await (await client.send('POST', path, body)).json()).toEqual(first)
  expect(await list(client)).toEqual([first])
  const { publicKey } = requestOf(newSecret(), '')
  expect((await client.send('POST', path, { ...body, publicKey })).status).toBe(409)
  await subscribeIn(program, 'repeats.other@real.example')
  const other = await signedIn(program, 'repeats.other@real.example')
  expect((await other.send('POST', path, body)).status).toBe(409)
  // The visitor may have changed the input since.
  for (const changed of [{ login: 'repeated.other' }, { domain: 'dayfly.test' }])
    expect((await client.send('POST', path, { ...body, ...changed })).status).toBe(409)
  expect(await (await client.send('POST', path, { ...body, label: 'Bank' })).json()).toEqual({
    ...first,
    label: 'Bank',
  })
  expect(await list(client)).toHaveLength(1)
})

test.each([
  ['the same', {}, true],
  ['another name', { login: 'wanted.other' }, false],
  ['another domain', { domain: 'dayfly.test' }, false],
  ['another lifetime', { lifetime: 'ten-minutes' }, false],
  ['a random name', { random: '1' }, false],
])('a form whose response was lost, sent again for %s', async (_what, change, isSame) => {
  const { client, address } = await visitor()
  const fields = {
    lang: 'en',
    login: `wanted.${Object.keys(change).join('')}x`,
    domain: 'mayfly.test',
    secret: newSecret(),
  }
  const form = (more: object = {}) => new URLSearchParams({ ...fields, lifetime: 'day', shown: address, ...more })
  expect(await lose(client, '/actions/change', form())).toBe(303)
  expect((await client.send('POST', '/actions/change', form(change))).headers.get('location')).toBe('/en')
  const now = await client.json('/api/v1/address')
  expect(now.address === `${fields.login}@mayfly.test` && now.lifetime === 'day').toBe(isSame)
})
