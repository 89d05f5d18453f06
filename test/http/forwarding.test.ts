import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ForwardingJson } from '#contract/forwarding.ts'
import { siteClient, type SiteClient } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const PATH = '/api/v1/forwardings'
const NO_LIMITS = { ...WITHOUT_LIMITS, MAYFLY_FORWARD_ASK_BURST: '100000' }

let count = 0
const somebody = (domain = 'real.example'): string => `site${++count}@${domain}`

async function answer(response: Response): Promise<[number, any]> {
  const body: any = await response.json().catch(() => null)
  return [response.status, response.ok ? body : body?.code]
}
const send = async (client: ApiClient, method: string, path: string, body?: unknown) =>
  answer(await client.send(method, PATH + path, body))

/** A browser with a new address. */
async function visitor(program: Program): Promise<SiteClient> {
  const client = siteClient(program)
  expect((await client.send('POST', '/api/v1/addresses', {})).status).toBe(201)
  return client
}

let program: Program
beforeAll(async () => {
  program = await startProgram({ env: NO_LIMITS })
})
afterAll(() => program.stop())

describe('the API', () => {
  test('asks, reports the state, pauses, ends, restarts and forgets', async () => {
    const ann = await createAddress(program.url)
    const to = somebody()
    expect(await ann.json(PATH)).toEqual({ available: 'outbox', max: 1, days: 7, forwardings: [] })
    const [status, created] = await send(ann, 'POST', '', { destination: to, lang: 'de' })
    expect([status, created]).toMatchObject([202, { destination: to, state: 'waiting', end: null }])
    const { id, createdAt, endsAt }: ForwardingJson = created
    expect(Date.parse(endsAt!) - Date.parse(createdAt)).toBe(24 * 3_600_000)
    expect((await ann.json(PATH)).forwardings).toEqual([created])
    const { link } = await outboxOf(program).next(to, 'forwarding-confirm')
    expect(link.pathname).toBe('/de/forwarded')
    const agreed = await fetch(link, { method: 'POST', body: new URLSearchParams({ action: 'confirm' }) })
    expect(agreed.status).toBe(200)
    expect(agreed.url).toMatch(/\/de\/forwarded\?done=confirmed$/)
    expect((await ann.json(PATH)).forwardings).toMatchObject([{ id, state: 'on' }])
    expect(await send(ann, 'PATCH', `/${id}`, { paused: true })).toMatchObject([200, { id, state: 'paused' }])
    expect(await send(ann, 'PATCH', `/${id}`, { paused: false })).toMatchObject([200, { id, state: 'on' }])
    expect(await send(ann, 'POST', `/${id}/restart`)).toEqual([409, 'forwarding_exists'])
    expect(await send(ann, 'DELETE', `/${id}`)).toEqual([204, null])
    expect((await ann.json(PATH)).forwardings).toMatchObject([{ id, state: 'ended', end: 'stopped' }])
    const [again, anew] = await send(ann, 'POST', `/${id}/restart`)
    expect([again, anew]).toMatchObject([202, { destination: to, state: 'waiting' }])
    expect((await ann.json(PATH)).forwardings).toEqual([anew])
    expect(await send(ann, 'DELETE', `/${anew.id}`)).toEqual([204, null])
    expect(await send(ann, 'DELETE', `/${anew.id}`)).toEqual([204, null])
    expect(await send(ann, 'DELETE', `/${anew.id}`)).toEqual([404, 'forwarding_not_found'])
    expect(await ann.json(`${PATH}/log`)).toEqual({ entries: [], next: null })
  })

  test('refuses with a code', async () => {
    const ann = await createAddress(program.url)
    const ask = (body: unknown) => send(ann, 'POST', '', body)
    expect(await ask({ destination: 'ann@' })).toEqual([422, 'email_invalid'])
    expect(await ask({ destination: ann.address })).toEqual([422, 'destination_invalid'])
    expect(await ask({})).toEqual([400, 'invalid_request'])
    expect(await ask({ destination: 'ann@real.example', more: 1 })).toEqual([400, 'invalid_request'])
    expect(await ask({ destination: somebody(), lang: 'klingon' })).toMatchObject([202, { state: 'waiting' }])
    expect(await ask({ destination: somebody() })).toEqual([409, 'forwardings_full'])
    const { forwardings } = await ann.json(PATH)
    const path = `/${forwardings[0].id}`
    expect(await send(ann, 'PATCH', path, { paused: 'yes' })).toEqual([400, 'invalid_request'])
    expect(await send(ann, 'PATCH', path, { paused: true })).toEqual([404, 'forwarding_not_found'])
    expect(await send(ann, 'PUT', path, {})).toEqual([405, 'method_not_allowed'])
    const ben = await createAddress(program.url)
    for (const method of ['PATCH', 'DELETE'])
      expect(await send(ben, method, path, method === 'PATCH' ? { paused: true } : undefined)).toEqual([
        404,
        'forwarding_not_found',
      ])
  })

  test('requires the holder of the address, and its cookie requires this site', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/log'],
      ['DELETE', '/x'],
      ['POST', '/x/restart'],
    ] as const) {
      const body = method === 'POST' && path === '' ? JSON.stringify({ destination: somebody() }) : null
      const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {}
      const response = await fetch(program.url + PATH + path, { method, headers, body })
      expect([method, path, ...(await answer(response))]).toEqual([method, path, 401, 'unauthorized'])
    }
    const browser = await visitor(program)
    const elsewhere = { origin: 'https://evil.example' }
    expect(await answer(await browser.send('POST', PATH, { destination: somebody() }, elsewhere))).toEqual([
      403,
      'forbidden_origin',
    ])
    expect((await browser.send('POST', PATH, { destination: somebody() })).status).toBe(202)
  })

  test('responds the same whether an email was sent or not', async () => {
    const to = somebody()
    const ask = async () => {
      const response = await (await createAddress(program.url)).send('POST', PATH, { destination: to })
      const body: any = await response.json()
      const headers = [...response.headers.keys()].filter((name) => name !== 'date')
      return { status: response.status, headers, body: { ...body, id: body.id.length, createdAt: 0, endsAt: 0 } }
    }
    const first = await ask()
    await outboxOf(program).next(to)
    expect(await ask()).toEqual(first)
  })
})

describe('limits', () => {
  const env = {
    ...WITHOUT_LIMITS,
    MAYFLY_FORWARD_ASK_BURST: '2',
    MAYFLY_FORWARD_ASK_SECONDS: '1000',
    MAYFLY_FORWARD_ASKS_PER_DOMAIN_PER_HOUR: '2',
  }
  let limited: Program
  beforeAll(async () => {
    limited = await startProgram({ env })
  })
  afterAll(() => limited.stop())

  test('limits new destinations of one visitor: a burst, then one after another', async () => {
    const [ann, ben] = [await createAddress(limited.url), await createAddress(limited.url)]
    expect(await send(ann, 'POST', '', { destination: somebody('one.example') })).toMatchObject([202, {}])
    const { forwardings } = await ann.json(PATH)
    await send(ann, 'DELETE', `/${forwardings[0].id}`)
    expect(await send(ann, 'POST', `/${forwardings[0].id}/restart`)).toMatchObject([202, {}])
    const refused = await ben.send('POST', PATH, { destination: somebody('two.example') })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(900)
    expect(await answer(refused)).toEqual([429, 'too_many_requests'])
    expect((await ben.json(PATH)).forwardings).toEqual([])
  })

  test('limits emails to one domain per hour', async () => {
    const [first, second, third] = [await visitor(limited), await visitor(limited), await visitor(limited)]
    // Other visitors than that of the test before.
    const ask = (client: SiteClient, from: string, destination: string) =>
      client.send('POST', PATH, { destination }, { 'x-forwarded-for': from })
    expect((await ask(first, '192.0.2.1', 'ann@real.example')).status).toBe(202)
    expect((await ask(second, '192.0.2.2', 'cyd@real.example')).status).toBe(202)
    const refused = await ask(third, '192.0.2.3', 'bob@REAL.example')
    expect(refused.status).toBe(429)
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait > 0 && wait <= 3600).toBe(true)
    expect((await ask(third, '192.0.2.3', 'bob@other.example')).status).toBe(202)
  })

  test('a public site without a relay does not offer or accept forwarding', async () => {
    const site = await startProgram({ env: { ...NO_LIMITS, MAYFLY_PUBLIC_URL: 'https://mayfly.example' } })
    const ann = await createAddress(`http://localhost:${site.httpPort}`)
    expect(await ann.json(PATH)).toMatchObject({ available: 'none' })
    expect((await ann.json('/_payload.json')).data.forwarding).toBe('none')
    expect(await send(ann, 'POST', '', { destination: somebody() })).toEqual([409, 'forwarding_unavailable'])
    await site.stop()
  })
})

describe('the pages', () => {
  const post = (client: SiteClient, action: string, fields: Record<string, string>) =>
    client.send('POST', `/actions/${action}`, new URLSearchParams({ lang: 'en', ...fields }))
  const panel = (client: SiteClient, query = '') => client.json(`/en/forwarding/_payload.json${query}`)

  test('the panel is private to the visitor and not indexed', async () => {
    expect((await panel(siteClient(program))).data).toEqual({
      address: null,
      lifetime: null,
      premium: null,
      forwardings: null,
      log: null,
    })
    const client = await visitor(program)
    const { page, data } = await panel(client)
    expect(page).toBe('forwarding')
    expect(data).toMatchObject({
      address: (await client.json('/api/v1/address')).address,
      lifetime: 'day',
      premium: 3,
      forwardings: { available: 'outbox', forwardings: [] },
      log: { entries: [], next: null },
    })
    for (const path of ['/en/forwarding', '/forwarded']) {
      const response = await client.send('GET', path)
      const html = await response.text()
      expect(response.headers.get('cache-control')).toContain('no-store')
      expect(html).toContain('<meta name="robots" content="noindex')
      expect(html).not.toContain('hreflang=')
    }
    const sitemap = await (await fetch(`${program.url}/sitemap.xml`)).text()
    expect(sitemap).not.toContain('/forward')
  })

  test('forms without JavaScript ask, pause, end and restart', async () => {
    const client = await visitor(program)
    const to = somebody()
    const only = async () => (await panel(client)).data.forwardings.forwardings[0]
    const done = async (response: Response) => [response.status, response.headers.get('location')]
    expect(await done(await post(client, 'forward', { destination: to }))).toEqual([303, '/en/forwarding'])
    const { id } = await only()
    const { link } = await outboxOf(program).next(to)
    expect(await done(await post(client, 'forwarding-pause', { id, paused: 'true' }))).toEqual([
      303,
      '/en/forwarding?error=forwarding_not_found',
    ])
    await fetch(link, { method: 'POST', body: new URLSearchParams({ action: 'confirm' }) })
    for (const [paused, state] of [
      ['true', 'paused'],
      ['false', 'on'],
    ] as const) {
      expect(await done(await post(client, 'forwarding-pause', { id, paused }))).toEqual([303, '/en/forwarding'])
      expect(await only()).toMatchObject({ id, state })
    }
    // Both ways to stop it can be repeated.
    for (const _ of [1, 2])
      expect(await done(await post(client, 'forwarding-end', { id, remove: 'false' }))).toEqual([303, '/en/forwarding'])
    expect((await client.send('DELETE', `${PATH}/${id}?remove=false`)).status).toBe(204)
    expect(await only()).toMatchObject({ id, state: 'ended' })
    expect(await done(await post(client, 'forwarding-restart', { id }))).toEqual([303, '/en/forwarding'])
    expect(await only()).toMatchObject({ state: 'waiting', destination: to })
  })

  test('a refused form is shown again with its input and the reason', async () => {
    const client = await visitor(program)
    const response = await post(client, 'forward', { destination: 'ann@mayfly.test' })
    expect(response.status).toBe(422)
    const html = await response.text()
    expect(html).toContain('value="ann@mayfly.test"')
    expect(html).toContain('We can’t forward to this address')
    const elsewhere = await client.send(
      'POST',
      '/actions/forward',
      new URLSearchParams({ lang: 'en', destination: somebody() }),
      { origin: 'https://evil.example' },
    )
    expect(elsewhere.headers.get('location')).toBe('/en/forwarding?error=forbidden_origin')
    expect((await panel(client)).data.forwardings.forwardings).toEqual([])
  })

  test('the home page says whether messages are forwarded', async () => {
    const home = async (client: SiteClient) => (await client.json('/_payload.json')).data.forwarding
    expect(await home(siteClient(program))).toBe('off')
    const client = await visitor(program)
    expect(await home(client)).toBe('off')
    const to = somebody()
    await client.send('POST', PATH, { destination: to })
    expect(await home(client)).toBe('waiting')
    const { link } = await outboxOf(program).next(to)
    await fetch(link, { method: 'POST', body: new URLSearchParams({ action: 'confirm' }) })
    expect(await home(client)).toBe('on')
  })
})
