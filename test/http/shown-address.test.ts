import { beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '#core/mailbox/secret.ts'
import { shownTag } from '#core/mailbox/shown-tag.ts'
import { keep, list } from '#test/support/fixtures/kept-client.ts'
import { signedIn, type SiteClient, siteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { call } from '#test/support/program/api.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const ADDRESSES = '/api/v1/addresses'
const REFUSED = { status: 401, code: 'unauthorized' }

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

interface Opened {
  address: string
  secret: string
}

const create = async (client: SiteClient, body: object = {}): Promise<Opened> =>
  (await (await client.send('POST', ADDRESSES, body)).json()) as Opened

/** A browser whose first window shows `shown`, and whose second one has opened `current` since. */
async function twoWindows(): Promise<{ client: SiteClient; shown: Opened; current: Opened }> {
  const client = siteClient(program)
  const shown = await create(client)
  client.cookies.delete('mayfly_secret')
  const current = await create(client)
  return { client, shown, current }
}

const isAlive = async ({ secret }: Opened): Promise<boolean> =>
  (await call(program.url, 'GET', '/api/v1/address', undefined, secret)).status === 200

const ACTIONS: [method: string, path: string, body?: object][] = [
  ['DELETE', '/api/v1/address'],
  ['POST', '/api/v1/address/extend'],
  ['POST', '/api/v1/address/secret', {}],
  ['POST', '/api/v1/address/secret', { secret: newSecret() }],
  ['POST', '/api/v1/session/reveal'],
  ['POST', ADDRESSES, { replace: true }],
  ['POST', ADDRESSES, { replace: true, secret: newSecret() }],
  ['POST', '/api/v1/forwardings', { destination: 'zoe@mail.example' }],
  ['GET', '/api/v1/messages'],
  ['GET', '/api/v1/deliveries'],
  ['GET', '/api/v1/address/push'],
  ['GET', '/api/v1/forwardings'],
]

describe('a page that shows another address than the one that another window opened', () => {
  test.each(ACTIONS)('%s %s acts on neither', async (method, path, body) => {
    const { client, shown, current } = await twoWindows()
    const send = (address: string) => client.send(method, path, body, { 'x-address': address })
    const before = client.cookies.get('mayfly_secret')
    const response = await send(shown.address)
    expect({ status: response.status, ...((await response.json()) as object) }).toMatchObject(REFUSED)
    expect([await isAlive(shown), await isAlive(current), client.cookies.get('mayfly_secret')]).toEqual([
      true,
      true,
      before,
    ])
    expect((await send(current.address)).ok).toBe(true)
  })

  test.each([
    ['delete', { confirmed: 'yes' }, '/en?error=unauthorized'],
    ['delete', {}, '/en?error=unauthorized'],
    ['extend', {}, '/en?error=unauthorized'],
    ['replace-secret', { secret: newSecret() }, '/en?error=unauthorized'],
    ['create', {}, '/en?error=unauthorized'],
    ['change', { login: 'of.neither', secret: newSecret() }, '/en/change?error=unauthorized'],
    ['forget', {}, '/en/change?error=unauthorized'],
    ['forward', { destination: 'zoe@mail.example' }, 401],
  ])('the form "%s" acts on neither', async (action, fields, refusal) => {
    const { client, shown, current } = await twoWindows()
    const before = new Map(client.cookies)
    const form = new URLSearchParams({ lang: 'en', ...fields, shown: shown.address })
    const response = await client.send('POST', `/actions/${action}`, form)
    expect(response.headers.get('location') ?? response.status).toBe(refusal)
    expect([await isAlive(shown), await isAlive(current), client.cookies]).toEqual([true, true, before])
    form.set('shown', current.address)
    expect((await client.send('POST', `/actions/${action}`, form)).headers.get('location')).not.toContain('error')
  })

  test('"Use again" replaces neither', async () => {
    const { client, shown, current } = await twoWindows()
    const gone = await create(siteClient(program))
    await call(program.url, 'DELETE', '/api/v1/address', undefined, gone.secret)
    const entry = `${gone.secret}~${Math.floor(Date.now() / 60_000).toString(36)}~${gone.address}`
    client.cookies.set('mayfly_earlier', encodeURIComponent(entry))
    const form = new URLSearchParams({ lang: 'en', address: gone.address, secret: newSecret(), shown: shown.address })
    const take = async () => (await client.send('POST', '/actions/take-again', form)).headers.get('location')
    expect(await take()).toBe('/en/change?error=unauthorized')
    expect([await isAlive(shown), await isAlive(current)]).toEqual([true, true])
    form.set('shown', current.address)
    expect(await take()).toBe('/en')
    expect([await isAlive(shown), await isAlive(current)]).toEqual([true, false])
  })

  test('a subscriber deletes and keeps none that another window opened', async () => {
    const email = 'two.windows@real.example'
    await subscribeIn(program, email)
    const client = await signedIn(program, email)
    const first = await keep(client)
    const second = await keep(client)
    await client.send('POST', `/api/v1/account/addresses/${second.id}/open`)
    const shown = { 'x-address': first.address }
    expect((await client.send('DELETE', '/api/v1/address', undefined, shown)).status).toBe(401)
    expect((await client.send('POST', '/api/v1/session/reveal', undefined, shown)).status).toBe(401)
    client.cookies.delete('mayfly_secret')
    await create(client, { lifetime: 'ten-minutes' })
    expect((await client.send('POST', '/api/v1/account/addresses', { adopt: true }, shown)).status).toBe(401)
    expect((await list(client)).map(({ id }) => id)).toEqual([first.id, second.id])
  })

  test('a message of the shown address is deleted nevertheless', async () => {
    const { client, shown, current } = await twoWindows()
    await sendMail(program.smtpPort, { to: shown.address, subject: 'to go', text: 'to go' })
    const messages = async () =>
      ((await (await call(program.url, 'GET', '/api/v1/messages', undefined, shown.secret)).json()) as any).messages
    await expect.poll(messages).toHaveLength(1)
    const body = { ids: [(await messages())[0].id], address: shown.address }
    const headers = { 'x-address': current.address }
    expect((await client.send('POST', '/api/v1/messages/delete', body, headers)).status).toBe(204)
    expect(await messages()).toEqual([])
  })
})

test('a page follows no other address than the one that it shows', async () => {
  const { client, shown, current } = await twoWindows()
  const follow = (query: string, headers = {}) => client.send('GET', `/api/v1/events${query}`, undefined, headers)
  // A revision of one inbox says nothing about another.
  const again = { 'last-event-id': '0' }
  const refusals = [
    await follow(`?shown=${shownTag(shown.address)}`, again),
    await follow(`?shown=${shownTag(shown.address)}&lastEventId=0`),
    await follow('', { ...again, 'x-address': shown.address }),
  ]
  for (const refused of refusals)
    expect({ status: refused.status, ...((await refused.json()) as object) }).toMatchObject(REFUSED)
  const followed = [await follow(`?shown=${shownTag(current.address)}`, again), await follow('', again)]
  expect(followed.map(({ status }) => status)).toEqual([200, 200])
  for (const { body } of followed) await body?.cancel()
})

test('a page that shows no address replaces none', async () => {
  const client = siteClient(program)
  const first = await create(client)
  const shown = { 'x-address': '' }
  expect((await client.send('POST', ADDRESSES, { replace: true }, shown)).status).toBe(401)
  const form = new URLSearchParams({ lang: 'en', shown: '' })
  expect((await client.send('POST', '/actions/create', form)).headers.get('location')).toBe('/en?error=unauthorized')
  expect(await isAlive(first)).toBe(true)
  await client.send('DELETE', '/api/v1/address')
  expect((await client.send('POST', ADDRESSES, { replace: true }, shown)).status).toBe(201)
})

test('a page whose address is gone creates another one', async () => {
  const client = siteClient(program)
  const { address, secret } = await create(client)
  await call(program.url, 'DELETE', '/api/v1/address', undefined, secret)
  expect((await client.send('POST', ADDRESSES, { replace: true }, { 'x-address': address })).status).toBe(201)
})

test('a repeated request returns its address, whatever the page shows', async () => {
  const { client, shown, current } = await twoWindows()
  const secret = newSecret()
  const body = { secret, replace: true }
  const made = await create(siteClient(program), body)
  const repeated = await client.send('POST', ADDRESSES, body, { 'x-address': shown.address })
  expect(await repeated.json()).toMatchObject({ address: made.address })
  expect(await isAlive(current)).toBe(true)
})

test('the form that replaced the secret opens its address again, although another window opened another one', async () => {
  const { client, shown } = await twoWindows()
  const secret = newSecret()
  await call(program.url, 'POST', '/api/v1/address/secret', { secret }, shown.secret)
  const form = new URLSearchParams({ lang: 'en', secret, shown: shown.address })
  expect((await client.send('POST', '/actions/replace-secret', form)).headers.get('location')).toBe('/en')
  expect((await client.json('/api/v1/address')).address).toBe(shown.address)
})

test('a request with a secret needs no address', async () => {
  const { shown, current } = await twoWindows()
  const send = (address?: string) =>
    fetch(`${program.url}/api/v1/address/extend`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${current.secret}`,
        ...(address === undefined ? {} : { 'x-address': address }),
      },
    })
  expect((await send()).status).toBe(200)
  expect((await send(current.address)).status).toBe(200)
  expect((await send(shown.address)).status).toBe(401)
})

test('a form from the history asks for another address in place of its own', async () => {
  const client = siteClient(program)
  const { address } = await create(client)
  const form = new URLSearchParams({ lang: 'en', secret: newSecret(), shown: address })
  const change = async () => (await client.send('POST', '/actions/change', form)).headers.get('location')
  const current = async () => (await client.json('/api/v1/address')).address
  expect(await change()).toBe('/en')
  const made = await current()
  expect(await change()).toBe('/en')
  expect([address, made]).not.toContain(await current())
})
