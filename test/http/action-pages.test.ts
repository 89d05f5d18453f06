import { beforeAll, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { current, keep, list, payload, subscriber } from '#test/support/fixtures/kept-client.ts'
import { USER_AGENT } from '#test/support/program/browser.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(program.url + path, {
    headers: { accept: 'text/html', 'user-agent': USER_AGENT, ...headers },
    redirect: 'manual',
  })
  return [answer.status, answer.headers.get('location')]
}

test.each([
  ['contact', '/contact'],
  ['problem', '/problem'],
  ['order', '/premium'],
  ['forward', '/forwarding'],
  ['change', '/change'],
  ['sign-in-code', '/account'],
  ['delete', ''],
])('the URL of the action %s leads to its page, in the language of the visitor', async (action, page) => {
  const path = `/actions/${action}`
  expect(await get(path, { cookie: 'mayfly_locale=ar' })).toEqual([303, `/ar${page}`])
  expect(await get(`${path}?x=1`, { 'accept-language': 'de-AT,de;q=0.9' })).toEqual([303, `/de${page}`])
  // The choice of the visitor counts, and only known languages.
  expect(await get(path, { cookie: 'mayfly_locale=fr', 'accept-language': 'de' })).toEqual([303, `/fr${page}`])
  expect(await get(path, { cookie: 'mayfly_locale=../evil', 'accept-language': 'xx' })).toEqual([303, page || '/'])
  expect((await get(`${path}s`))[0]).toBe(404)
})

test('a request of a page that shows a signed-in subscriber creates nothing after the session ended', async () => {
  const { client } = await subscriber(program)
  const kept = await keep(client)
  await client.send('POST', `/api/v1/account/addresses/${kept.id}/open`)
  const wanted = { replace: true, signedIn: true }
  expect((await client.send('POST', '/api/v1/addresses', wanted)).status).toBe(201)
  expect(await list(client)).toHaveLength(2)
  const before = await current(client)
  await client.send('DELETE', '/api/v1/account/session')
  const refused = await client.send('POST', '/api/v1/addresses', { ...wanted, domain: 'vip.mayfly.test' })
  expect(await answerOf(refused)).toEqual([401, 'not_signed_in'])
  expect((await client.send('POST', '/api/v1/addresses', { ...wanted, signedIn: false })).status).toBe(201)
  expect((await current(client)).address).not.toBe(before.address)
})

test('only the tab that shows a list has it, and only for the subscriber', async () => {
  const { client } = await subscriber(program)
  expect((await client.send('POST', '/api/v1/account/keys', { label: 'CI' })).status).toBe(201)
  const data = async (path: string) => (await payload<'account'>(client, path)).data
  const [addresses, domains, developer] = await Promise.all([
    data('/account'),
    data('/account/domains'),
    data('/account/developer'),
  ])
  expect([addresses.domains, addresses.developer]).toEqual([null, null])
  expect([domains.domains, domains.developer]).toEqual([[], null])
  expect(developer.domains).toBeNull()
  expect(developer.developer).toEqual({
    keys: await client.json('/api/v1/account/keys'),
    webhooks: await client.json('/api/v1/account/webhooks'),
  })
  await client.send('DELETE', '/api/v1/account/session')
  expect((await data('/account/developer')).developer).toBeNull()
})
