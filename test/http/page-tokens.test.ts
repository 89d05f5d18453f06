import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteClient, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const EMAIL = 'ann@example.com'

let program: Program
beforeAll(async () => {
  program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_SIGN_IN_LINKS_MAX: '100' } })
  await subscribeIn(program, EMAIL)
})
afterAll(() => program.stop())

/** Requests a link in a browser. */
async function requestLink(lang = 'en') {
  const client = siteClient(program)
  await client.send('POST', '/api/v1/account/sign-in', { email: EMAIL, lang })
  const { link } = await outboxOf(program).next(EMAIL, 'sign-in')
  return { client, link, token: link.searchParams.get('link') ?? '' }
}
const dataAt = async (client: ReturnType<typeof siteClient>, path: string): Promise<any> =>
  (await client.json(`${path}/_payload.json`)).data

describe('a token in a URL', () => {
  test.each([
    ['/account', 'link', 'mayfly_link', 900],
    ['/en/account', 'link', 'mayfly_link', 900],
    ['/ar/account/', 'link', 'mayfly_link', 900],
    ['/de/forwarded', 'confirm', 'mayfly_consent', 3600],
    ['/forwarded', 'stop', 'mayfly_consent', 3600],
    ['/en/checkout', 'order', 'mayfly_order', 86_400],
  ])('in %s?%s= moves into the cookie %s before anything is loaded', async (path, name, cookie, seconds) => {
    const token = 'Ab-_'.repeat(10)
    for (const method of ['GET', 'HEAD']) {
      const response = await siteClient(program).send(method, `${path}?from=mail&${name}=${token}&x=1`)
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe(`${path.replace(/\/$/, '')}?from=mail&x=1`)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(response.headers.getSetCookie()).toEqual([
        `${cookie}=${name}.${token}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax`,
      ])
      expect(await response.text()).toBe('')
    }
  })

  test('is in no URL and no payload of the page', async () => {
    const { client, link, token } = await requestLink()
    await client.send('GET', link.pathname + link.search)
    const payload: any = await client.json('/en/account/_payload.json')
    expect(payload.query).toEqual({})
    const html = await (await client.send('GET', '/en/account')).text()
    expect(html.match(/(?:href|src|action|content)="[^"]*"/g)?.join('\n')).not.toContain(token)
  })

  test.each(['', 'x y', '%00', 'ü', 'a;b=c', 'x'.repeat(101)])(
    '%j is invalid, and shows no other link',
    async (value) => {
      const { client, link } = await requestLink()
      await client.send('GET', link.pathname + link.search)
      const response = await client.send('GET', `/en/account?link=${encodeURIComponent(value)}`)
      expect([response.status, response.headers.get('location')]).toEqual([303, '/en/account'])
      expect((await dataAt(client, '/en/account')).link).toEqual({ state: 'over' })
      // That is shown once.
      expect((await dataAt(client, '/en/account')).link).toBeNull()
    },
  )

  test('of another page is ignored', async () => {
    const response = await siteClient(program).send('GET', '/en/contact?link=x&order=y')
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toEqual([])
  })
})

describe('a sign-in link', () => {
  test('changes nothing when it is followed', async () => {
    const { client, link } = await requestLink()
    for (let i = 0; i < 10; i++) {
      const scanner = siteClient(program)
      await scanner.send(i % 2 ? 'GET' : 'HEAD', link.pathname + link.search)
      await scanner.send('GET', '/en/account')
    }
    await client.send('GET', link.pathname + link.search)
    const { link: shown } = await dataAt(client, '/en/account')
    expect(shown).toMatchObject({ state: 'here', of: 'a…@example.com' })
    expect((await client.send('POST', '/api/v1/account/session', { token: shown.token })).status).toBe(204)
    expect(client.cookies.has('mayfly_link')).toBe(false)
    expect((await dataAt(client, '/en/account')).account).toMatchObject({ email: EMAIL })
  })

  test('in another browser shows the code, and does not sign anyone out', async () => {
    const { link, client: asking, token } = await requestLink()
    const other = siteClient(program)
    await other.send('GET', link.pathname + link.search)
    const shown = (await dataAt(other, '/en/account')).link
    expect(shown).toEqual({ state: 'elsewhere', code: expect.stringMatching(/^\d{9}$/) })
    const html = await (await other.send('GET', '/en/account')).text()
    expect(html).toContain(shown.code.replaceAll(/\d{3}(?=\d)/g, '$& '))
    expect(html).not.toContain(token)
    // A new request in this browser replaces the link.
    await other.send('POST', '/api/v1/account/sign-in', { email: EMAIL, lang: 'en' })
    expect((await dataAt(other, '/en/account')).link).toBeNull()

    await asking.send('POST', '/api/v1/account/session', { token })
    const { link: second } = await requestLink()
    await asking.send('GET', second.pathname + second.search)
    expect(await dataAt(asking, '/en/account')).toMatchObject({ link: null, account: { email: EMAIL } })
    expect(asking.cookies.has('mayfly_link')).toBe(false)
  })
})

test('an order can be viewed for a day, and its id opens nothing else', async () => {
  const client = siteClient(program)
  const order = { plan: 'year', email: 'buyer@example.com', lang: 'en' }
  const { id, url }: any = await (await client.send('POST', '/api/v1/orders', order)).json()
  await client.send('GET', new URL(url).pathname + new URL(url).search)
  for (let i = 0; i < 2; i++) expect((await dataAt(client, '/en/checkout')).order).toMatchObject({ id, state: 'open' })
  await client.send('POST', `/api/v1/sandbox/${id}`, { outcome: 'paid' })
  expect((await dataAt(client, '/en/checkout')).order).toMatchObject({ id, state: 'paid' })
  const stranger = siteClient(program)
  stranger.cookies.set('mayfly_order', `order.${id}`)
  const seen = JSON.stringify([
    await stranger.json('/en/checkout/_payload.json'),
    await stranger.json(`/api/v1/orders/${id}`),
  ])
  expect(seen).not.toContain('buyer')
  expect((await stranger.send('GET', '/api/v1/account')).status).toBe(401)
  for (const body of [{ token: id }, { code: id }])
    expect((await stranger.send('POST', '/api/v1/account/session', body)).status).toBeGreaterThanOrEqual(400)
  expect((await siteClient(program).send('GET', '/en/checkout')).status).toBe(404)
})

test('with https the cookies are for this host only', async () => {
  const secure = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_PUBLIC_URL: 'https://mayfly.example' } })
  const client = siteClient({ url: `http://localhost:${secure.httpPort}` })
  const response = await client.send('GET', '/forwarded?stop=abc')
  expect(response.headers.getSetCookie()).toEqual([
    '__Host-mayfly_consent=stop.abc; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax',
  ])
  expect((await dataAt(client, '/forwarded')).link).toBe('over')
  await secure.stop()
})

test('one-click unsubscription needs neither cookie nor redirect', async () => {
  const owner = await createAddress(program.url)
  await owner.send('POST', '/api/v1/forwardings', { destination: 'reader@real.example', lang: 'en' })
  const confirm = (await outboxOf(program).next('reader@real.example', 'forwarding-confirm')).link
  await fetch(confirm, { method: 'POST', body: new URLSearchParams({ action: 'confirm' }) })
  const { link } = await outboxOf(program).next('reader@real.example', 'forwarding-on')
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const response = await fetch(link, { method: 'POST', body, redirect: 'manual' })
  expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
})
