import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { type Program, startProgram, warningsOf, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { sendRaw } from '#test/support/program/raw.ts'

let here: Program
let site: Program
beforeAll(async () => {
  ;[here, site] = await Promise.all([
    startProgram({ env: WITHOUT_LIMITS }),
    startProgram({
      env: { ...WITHOUT_LIMITS, MAYFLY_PUBLIC_URL: 'https://mail.example', MAYFLY_TRUSTED_PROXIES: '127.0.0.1' },
    }),
  ])
})
afterAll(() => Promise.all([here.stop(), site.stop()]))

const ask = (program: Program, lines: readonly string[], target = '/api/v1/domains', version = '1.1', method = 'GET') =>
  sendRaw(program.httpPort, [`${method} ${target} HTTP/${version}`, 'Connection: close', ...lines, '', ''].join('\r\n'))

describe('accepts', () => {
  test.each([
    'localhost',
    'LocalHost',
    'localhost.',
    'app.localhost:5173',
    '127.0.0.1',
    '127.0.0.1:80',
    '127.1.2.3',
    '[::1]',
    '[::1]:3000',
    '[0:0:0:0:0:0:0:1]',
  ])('a host of this machine: %s', async (host) => {
    for (const program of [here, site]) expect((await ask(program, [`Host: ${host}`])).status).toBe(200)
  })

  test.each(['mail.example', 'MAIL.example', 'mail.example.', 'mail.example:443', 'mail.example:8443'])(
    'the host of the site: %s',
    async (host) => {
      expect((await ask(site, [`Host: ${host}`])).status).toBe(200)
      expect((await ask(site, ['Host: upstream', `X-Forwarded-Host: ${host}`])).status).toBe(200)
    },
  )

  test.each(['/livez', '/readyz', '/%6civez'])('health checks for any host: %s', async (path) => {
    for (const host of ['readyz', '10.1.2.3:3000', 'mayfly.internal'])
      expect((await ask(site, [`Host: ${host}`], path)).status).toBe(200)
    // The default request of HAProxy's `option httpchk`.
    expect((await ask(site, [], path, '1.0')).status).toBe(200)
  })

  test('policies only at their own hosts', async () => {
    const lines = ['Host: mta-sts.mayfly.test']
    expect((await ask(site, lines, '/.well-known/mta-sts.txt')).status).toBe(200)
    expect((await ask(site, lines, '/')).status).toBe(421)
  })
})

describe('refuses', () => {
  test.each([
    'evil.example',
    'mail.example.evil.example',
    'localhost.evil.example',
    'sub.mail.example',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '[::2]',
    'evil.example@mail.example',
    'mail.example, evil.example',
    'mail.example evil.example',
    '',
  ])('"%s"', async (host) => {
    for (const path of ['/', '/api/v1/domains', '/nothing', '/favicon.svg', '/api/v1/nothing', '/webhooks/stripe']) {
      const { status, body, header } = await ask(site, [`Host: ${host}`, 'Accept: text/html'], path)
      expect([status, header('content-type')], path).toEqual([421, 'application/problem+json'])
      expect(JSON.parse(body)).toMatchObject({ code: 'host_unknown', detail: expect.any(String) })
    }
  })

  test('with one message that says what the operator has to do', async () => {
    const { body } = await ask(here, ['Host: mayfly.lan:3000'])
    expect(JSON.parse(body)).toMatchObject({
      title: 'This service does not serve that host',
      detail:
        'Its operator sets MAYFLY_PUBLIC_URL to the address that visitors use, and lets the proxy pass the Host header on',
    })
  })

  test('the host of another site', async () => {
    expect((await ask(here, ['Host: mail.example'])).status).toBe(421)
  })

  test('another host that a trusted or untrusted proxy passes on', async () => {
    expect((await ask(site, ['Host: upstream', 'X-Forwarded-Host: evil.example'])).status).toBe(421)
    // Browsers can be made to send this from a foreign page.
    expect((await ask(site, ['Host: evil.example', 'X-Forwarded-Host: localhost'])).status).toBe(421)
    expect((await ask(here, ['Host: evil.example', 'X-Forwarded-Host: mail.example'])).status).toBe(421)
    expect((await ask(here, ['Host: evil.example', 'X-Forwarded-Host: localhost'])).status).toBe(421)
  })

  test('another host in the request target without a Host header', async () => {
    expect((await ask(site, [], 'http://evil.example/api/v1/domains', '1.0')).status).toBe(421)
    expect((await ask(site, [], 'https://mail.example/api/v1/domains', '1.0')).status).toBe(200)
  })

  test('HTTP/1.1 without a host', async () => {
    expect((await ask(site, [], '/', '1.0')).status).toBe(200)
    expect((await ask(site, [])).status).toBe(400)
  })

  test.each(['/', '/livez', '/.well-known/mta-sts.txt', '/nothing', '/api/v1/domains'])(
    'two Host headers at %s',
    async (path) => {
      for (const second of ['Host: localhost', 'host: evil.example', 'HOST: mail.example']) {
        const { status } = await ask(site, ['Host: localhost', second], path)
        expect(status, second).toBe(400)
      }
    },
  )
})

describe('a public site without its public URL', () => {
  const order = (headers: Record<string, string>) =>
    fetch(`${here.url}/api/v1/orders`, {
      method: 'POST',
      headers: { origin: here.url, 'content-type': 'application/json', ...headers },
      body: '{"plan":"month","email":"reader@example.org","lang":"en"}',
    })
  const PROXIED: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-real-ip': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
    { 'cf-connecting-ip': '203.0.113.9' },
  ]

  test.each(PROXIED)('offers no sandbox to a visitor behind a proxy: %j', async (headers) => {
    expect(await answerOf(order(headers))).toEqual([422, 'plan_invalid'])
    const made = await order({})
    expect(made.status).toBe(201)
    const { id } = (await made.json()) as { id: string }
    const simulate = (more: Record<string, string>) =>
      fetch(`${here.url}/api/v1/sandbox/${id}`, {
        method: 'POST',
        headers: { origin: here.url, 'content-type': 'application/json', ...more },
        body: '{"outcome":"paid"}',
      })
    expect(await answerOf(simulate(headers))).toEqual([404, 'not_found'])
    const form = await fetch(`${here.url}/actions/sandbox`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: here.url, 'user-agent': 'Mozilla/5.0 Firefox/140.0', ...headers },
      body: new URLSearchParams({ order: id, outcome: 'paid', lang: 'en' }),
    })
    expect(form.headers.get('location')).toContain('error=not_found')
    expect((await simulate({})).status).toBe(204)
  })

  test('sets Secure cookies for visitors over https', async () => {
    const create = async (headers: Record<string, string>) =>
      (
        await fetch(`${here.url}/api/v1/addresses`, { method: 'POST', headers: { origin: here.url, ...headers } })
      ).headers.get('set-cookie') ?? ''
    expect(await create({})).toMatch(/^mayfly_secret=[^;]+;.*HttpOnly; SameSite=Lax$/)
    const origin = here.url.replace('http:', 'https:')
    expect(await create({ origin, 'x-forwarded-proto': 'https' })).toMatch(/^__Host-mayfly_secret=[^;]+;.*Secure;/)
    const follow = async (headers: Record<string, string>) => {
      const response = await fetch(`${here.url}/account?link=a-token`, { redirect: 'manual', headers })
      return response.headers.get('set-cookie') ?? ''
    }
    expect(await follow({})).toMatch(/^mayfly_link=[^;]+;.*HttpOnly; SameSite=Lax$/)
    expect(await follow({ 'x-forwarded-proto': 'https' })).toMatch(/^__Host-mayfly_link=[^;]+;.*Secure;/)
  })
})

test('the start warns of a former setting, and if other machines can connect and no public URL is set', async () => {
  const program = await startProgram({ env: { MAYFLY_OUTBOX_DAYS: '30', MAYFLY_HOST: '0.0.0.0' } })
  await program.stop()
  expect(warningsOf(program)).toEqual([
    expect.stringMatching(/^MAYFLY_OUTBOX_DAYS ignored/),
    expect.stringMatching(/MAYFLY_PUBLIC_URL is not set/),
  ])
  expect(here.stderr.join('\n')).not.toContain('MAYFLY_PUBLIC_URL')
})

test('the sandbox of an https site needs a special value', async () => {
  const env = { MAYFLY_PUBLIC_URL: 'https://mail.example', MAYFLY_PAYMENT_SANDBOX: 'on' }
  await expect(startProgram({ env })).rejects.toThrow(/MAYFLY_PAYMENT_SANDBOX .*on-public-site/)
  const program = await startProgram({ env: { ...env, MAYFLY_PAYMENT_SANDBOX: 'on-public-site' } })
  const page = await (await fetch(`http://127.0.0.1:${program.httpPort}/en/premium`)).text()
  await program.stop()
  expect(page).toContain('<form')
})
