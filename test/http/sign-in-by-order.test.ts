import { beforeAll, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { signedIn, type SiteClient, siteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

const statusOf = async (client: SiteClient) => (await client.send('GET', '/api/v1/account')).status
const open = (client: SiteClient, id: string, headers?: Record<string, string>) =>
  client.send('POST', `/api/v1/orders/${id}/session`, undefined, headers)
const signsIn = async (client: SiteClient, id: string) => (await client.json(`/api/v1/orders/${id}`)).signsIn

/** Places an order in a new browser. Pays it unless told otherwise. */
async function bought(email: string, { paid = true, client = siteClient(program) } = {}) {
  const response = await client.send('POST', '/api/v1/orders', { plan: 'month', email, lang: 'en' })
  const { id } = (await response.json()) as { id: string }
  if (paid) await client.send('POST', `/api/v1/sandbox/${id}`, { outcome: 'paid' })
  return { client, id }
}
const refused = [409, 'sign_in_by_email']

test('remembers browser and order for another day while the payment is on its way', async () => {
  const { client, id } = await bought('slow@example.com', { paid: false })
  const renewed = async (path: string, each = client): Promise<string[]> =>
    (await each.send('GET', path)).headers
      .getSetCookie()
      .map((cookie) => /^mayfly_\w+(?==.*Max-Age=86400)/.exec(cookie)![0])
  expect(await renewed(`/api/v1/orders/${id}`)).toEqual(['mayfly_browser'])
  await client.send('GET', `/en/checkout?order=${id}`)
  const both = ['mayfly_browser', 'mayfly_order']
  for (const path of [`/api/v1/orders/${id}`, '/en/checkout']) expect((await renewed(path)).toSorted()).toEqual(both)
  // Of another order, or without the cookies, nothing is remembered.
  const other = await bought('other@example.com', { paid: false })
  expect(await renewed(`/api/v1/orders/${other.id}`)).toEqual(['mayfly_browser'])
  expect(await renewed(`/api/v1/orders/${id}`, siteClient(program))).toEqual([])
  await client.send('POST', `/api/v1/sandbox/${id}`, { outcome: 'paid' })
  expect(await renewed(`/api/v1/orders/${id}`)).toEqual([])
})

test('signs in the browser that paid until it signs out, and shows a stranger with the order no more than its state', async () => {
  const { client, id } = await bought('ann@example.com', { paid: false })
  expect(await signsIn(client, id)).toBe(false)
  expect(await answerOf(open(client, id))).toEqual(refused)
  await client.send('POST', `/api/v1/sandbox/${id}`, { outcome: 'paid' })
  expect(await signsIn(client, id)).toBe(true)

  const stranger = siteClient(program)
  const other = await bought('stranger@example.com')
  for (const each of [stranger, other.client]) {
    expect(await signsIn(each, id)).toBe(false)
    expect(await answerOf(open(each, id))).toEqual(refused)
  }
  for (const origin of ['https://evil.example', 'null', ''])
    expect(await answerOf(open(client, id, { origin }))).toEqual([403, 'forbidden_origin'])
  // Opening the page changes nothing, because programs follow links too.
  await client.send('GET', `/en/checkout?order=${id}`)
  await client.send('GET', '/en/checkout')
  expect(await statusOf(client)).toBe(401)

  const opened = await open(client, id)
  expect(opened.status).toBe(204)
  expect(opened.headers.getSetCookie()).toEqual([expect.stringMatching(/^mayfly_account=[\w-]{43}; .*HttpOnly/)])
  expect(await client.json('/api/v1/account')).toMatchObject({ email: 'ann@example.com', confirmed: false })
  const session = client.cookies.get('mayfly_account')!
  // The response was lost.
  client.cookies.delete('mayfly_account')
  expect(await signsIn(client, id)).toBe(true)
  expect((await open(client, id)).status).toBe(204)
  expect(client.cookies.get('mayfly_account')).toBe(session)
  expect(await client.json('/api/v1/account')).toMatchObject({ sessions: [{ current: true }] })
  expect(await signsIn(client, id)).toBe(false)
  expect((await client.send('DELETE', '/api/v1/account/session')).status).toBe(204)
  expect(await signsIn(client, id)).toBe(false)
  expect(await answerOf(open(client, id))).toEqual(refused)
})

test('a payment for the email address of a subscriber opens no account', async () => {
  await subscribeIn(program, 'victim@example.com')
  const victim = await signedIn(program, 'victim@example.com')
  const { client, id } = await bought(' VICTIM@example.com')
  expect(await client.json(`/api/v1/orders/${id}`)).toMatchObject({ state: 'paid', signsIn: false })
  expect(await answerOf(open(client, id))).toEqual(refused)
  expect(await statusOf(client)).toBe(401)
  expect(await victim.json('/api/v1/account')).toMatchObject({ sessions: [{ current: true }] })
})

test('the owner of the email address locks out somebody else who paid for it', async () => {
  const { client: payer, id } = await bought('owner@example.com')
  await open(payer, id)
  const made = await payer.send('POST', '/api/v1/account/addresses', { login: 'trap.one' })
  const { id: address } = (await made.json()) as { id: string }
  await payer.send('POST', `/api/v1/account/addresses/${address}/open`)
  expect((await payer.send('GET', '/api/v1/address')).status).toBe(200)
  for (const [path, body] of [
    ['keys', { label: 'Key' }],
    ['webhooks', { url: 'https://example.com/' }],
    ['portal', undefined],
  ] as const) {
    const response = await payer.send('POST', `/api/v1/account/${path}`, body)
    expect(await answerOf(response), path).toEqual([403, 'email_unconfirmed'])
  }
  const erased = await payer.send('DELETE', '/api/v1/account', { email: 'owner@example.com' })
  expect(await answerOf(erased)).toEqual([403, 'email_unconfirmed'])

  const owner = await signedIn(program, 'owner@example.com')
  expect(await statusOf(payer)).toBe(401)
  expect((await payer.send('GET', '/api/v1/address')).status).toBe(401)
  expect(await owner.json('/api/v1/account')).toMatchObject({ confirmed: true, sessions: [{ current: true }] })
  expect((await owner.send('POST', `/api/v1/account/addresses/${address}/open`)).status).toBe(200)
  expect((await owner.send('POST', '/api/v1/account/keys', { label: 'Key' })).status).toBe(201)
})

test('a signed-in subscriber buys without the email address, and stays signed in', async () => {
  const { client, id } = await bought('more@example.com')
  await open(client, id)
  const session = client.cookies.get('mayfly_account')
  const response = await client.send('POST', '/api/v1/orders', { plan: 'year', lang: 'en' })
  expect(response.status).toBe(201)
  const more = ((await response.json()) as { id: string }).id
  await client.send('POST', `/api/v1/sandbox/${more}`, { outcome: 'paid' })
  const account = await client.json('/api/v1/account')
  expect(account.payments.map(({ plan }: { plan: string }) => plan).toSorted()).toEqual(['month', 'year'])
  // Nothing to do: somebody is signed in.
  expect((await open(client, more)).status).toBe(204)
  expect(client.cookies.get('mayfly_account')).toBe(session)
  const nobody = await siteClient(program).send('POST', '/api/v1/orders', { plan: 'year', lang: 'en' })
  expect(await answerOf(nobody)).toEqual([422, 'email_invalid'])
})

test('without JavaScript, a form signs in, and another one buys without the email address', async () => {
  const { client, id } = await bought('form@example.com')
  const post = (action: string, fields: Record<string, string>, by = client) =>
    by.send('POST', `/actions/${action}`, new URLSearchParams({ ...fields, lang: 'en' }))
  const stranger = await post('sign-in-order', { order: id }, siteClient(program))
  expect(stranger.headers.get('location')).toBe('/en/account?error=sign_in_by_email')
  await client.send('GET', `/en/checkout?order=${id}`)
  expect(await (await client.send('GET', '/en/checkout')).text()).toContain('action="/actions/sign-in-order"')
  const opened = await post('sign-in-order', { order: id })
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/en/account'])
  expect(await statusOf(client)).toBe(200)
  const premium = await (await client.send('GET', '/en/premium')).text()
  expect(premium).toContain('form@example.com')
  expect(premium).not.toContain('name="email"')
  const ordered = await post('order', { plan: 'year', years: '1' })
  expect(ordered.headers.get('location')).toMatch(/\/en\/checkout\?order=/)
})
