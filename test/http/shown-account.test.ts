import { beforeAll, describe, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { keep } from '#test/support/fixtures/kept-client.ts'
import { signedIn, type SiteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const ACCOUNT = '/api/v1/account'
const SESSION = `${ACCOUNT}/session`

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

let subscribers = 0
async function subscriber(): Promise<{ client: SiteClient; email: string; shown: Record<string, string> }> {
  const email = `shown.account${++subscribers}@example.com`
  const { id } = await subscribeIn(program, email)
  return { client: await signedIn(program, email), email, shown: { 'x-account': id } }
}
const statusOf = async (client: SiteClient) => (await client.send('GET', ACCOUNT)).status
const refused = [401, 'not_signed_in']

describe('a page that shows another account than the browser is signed in to', () => {
  test.each([
    ['GET', '', undefined],
    ['DELETE', '', { email: 'shown.account@example.com' }],
    ['POST', '/portal', undefined],
    ['POST', '/keys', { label: 'Key' }],
    ['GET', '/keys', undefined],
    ['POST', '/webhooks', { url: 'https://hooks.example/' }],
    ['POST', '/domains', { name: 'post.example' }],
    ['DELETE', '/domains/post.example', undefined],
    ['POST', '/addresses', { login: 'shown.account' }],
    ['GET', '/addresses', undefined],
    ['DELETE', '/sessions/unknown', undefined],
  ] as const)('%s /account%s is refused', async (method, path, body) => {
    const [one, two] = [await subscriber(), await subscriber()]
    expect(await answerOf(one.client.send(method, ACCOUNT + path, body, two.shown))).toEqual(refused)
  })

  test('gets no export of the other account', async () => {
    const [one, two] = [await subscriber(), await subscriber()]
    const download = ({ shown }: typeof one) =>
      one.client.send('GET', `${ACCOUNT}/export?account=${shown['x-account']}`)
    expect(await answerOf(download(two))).toEqual(refused)
    const response = await download(one)
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  })

  test('deletes no address of the other account', async () => {
    const [one, two] = [await subscriber(), await subscriber()]
    const { id } = await keep(one.client)
    const remove = (shown: Record<string, string>) =>
      one.client.send('DELETE', `${ACCOUNT}/addresses/${id}`, undefined, shown)
    expect(await answerOf(remove(two.shown))).toEqual(refused)
    expect((await remove(one.shown)).status).toBe(204)
  })

  test('adds no address to the list of the other account, and follows no list of it', async () => {
    const [one, two] = [await subscriber(), await subscriber()]
    const create = (shown: Record<string, string>) =>
      one.client.send('POST', '/api/v1/addresses', { lifetime: 'day', signedIn: true }, shown)
    expect(await answerOf(create(two.shown))).toEqual(refused)
    expect((await create(one.shown)).status).toBe(201)
    const follow = ({ shown }: typeof one) => one.client.send('GET', `${ACCOUNT}/events?account=${shown['x-account']}`)
    expect(await answerOf(follow(two))).toEqual(refused)
    const stream = await follow(one)
    expect(stream.status).toBe(200)
    await stream.body?.cancel()
  })

  test('signs the browser out of the account that it has', async () => {
    const [one, two] = [await subscriber(), await subscriber()]
    expect((await one.client.send('DELETE', SESSION, undefined, two.shown)).status).toBe(204)
    expect(await statusOf(one.client)).toBe(401)
  })

  test.each([[''], [undefined]])('is no page that says %j', async (account) => {
    const { client } = await subscriber()
    const shown: Record<string, string> = account === undefined ? {} : { 'x-account': account }
    expect((await client.send('POST', `${ACCOUNT}/keys`, { label: 'Key' }, shown)).status).toBe(201)
  })
})

describe('a repeated deletion of the account', () => {
  const erase = ({ client, email, shown }: Awaited<ReturnType<typeof subscriber>>, headers = shown) =>
    client.send('DELETE', ACCOUNT, { email }, headers)

  /** Deletes the account. The response, with its cookies, is lost. */
  async function erased() {
    const one = await subscriber()
    const session = one.client.cookies.get('mayfly_account')!
    expect((await erase(one)).status).toBe(204)
    expect(one.client.cookies.has('mayfly_account')).toBe(false)
    one.client.cookies.set('mayfly_account', session)
    return one
  }

  test('succeeds, and clears the cookie', async () => {
    const one = await erased()
    expect((await erase(one)).status).toBe(204)
    expect(one.client.cookies.has('mayfly_account')).toBe(false)
    expect(await answerOf(erase(one))).toEqual(refused)
  })

  test('is refused if the page names no account or another one, and on other sites', async () => {
    const [one, two] = [await erased(), await subscriber()]
    for (const headers of [{}, { 'x-account': '' }, { 'x-account': 'unknown' }, two.shown])
      expect(await answerOf(erase(one, headers as Record<string, string>))).toEqual(refused)
    const elsewhere = { ...one.shown, origin: 'https://evil.example' }
    expect(await answerOf(erase(one, elsewhere))).toEqual([403, 'forbidden_origin'])
  })

  test('is not taken for done if the session ended and the account exists', async () => {
    const one = await subscriber()
    const session = one.client.cookies.get('mayfly_account')!
    await one.client.send('DELETE', SESSION)
    one.client.cookies.set('mayfly_account', session)
    expect(await answerOf(erase(one))).toEqual(refused)
    expect(await statusOf(await signedIn(program, one.email))).toBe(200)
  })
})
