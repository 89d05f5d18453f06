import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { rawRequest, sendRaw } from '#test/support/program/raw.ts'

const PUBLIC_URL = 'https://mail.example'
let program: Program
let plain: Program
beforeAll(async () => {
  ;[program, plain] = await Promise.all([
    startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_PUBLIC_URL: PUBLIC_URL, MAYFLY_HTTP_PORT: '0' } }),
    startProgram({ env: WITHOUT_LIMITS }),
  ])
})
afterAll(() => Promise.all([program.stop(), plain.stop()]))

/** The real address of the program with the https URL. */
const at = (path: string): string => `http://127.0.0.1:${program.httpPort}${path}`

describe('headers', () => {
  test.each(['/', '/en', '/en/change', '/nothing-here', '/api/v1/domains', '/livez', '/favicon.svg'])(
    'of %s',
    async (path) => {
      const { headers } = await fetch(at(path))
      const csp = headers.get('content-security-policy') ?? ''
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ])
        expect(csp).toContain(part)
      expect(csp).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
      expect(headers.get('server')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
    },
  )

  test('allow the styles within pages that are the same for everybody, and no others', async () => {
    const response = await fetch(at('/en/contact'))
    const html = await response.text()
    const [, css = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
    expect(css).not.toBe('')
    expect(html).not.toContain('rel="stylesheet"')
    const hash = createHash('sha256').update(css).digest('base64')
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'self' 'sha256-${hash}';`)
    // A visitor's own page is not compressed. The browser has the file already.
    const own = await (await fetch(at('/en/account'))).text()
    expect(own).not.toContain('<style>')
    expect(own).toContain('rel="stylesheet"')
  })

  test('caches store nothing private', async () => {
    const owner = await createAddress(at(''))
    const attachments = [{ filename: 'a.txt', content: 'a' }]
    await sendMail(program.smtpPort, { to: owner.address, subject: 'private', text: 'private', attachments })
    const { messages } = await owner.json('/api/v1/messages?wait=10')
    const path = `/api/v1/messages/${messages[0].id}`
    const cookie = `__Host-mayfly_secret=${owner.secret}`
    for (const each of [
      '/api/v1/address',
      '/api/v1/messages',
      path,
      `${path}/raw`,
      `${path}/attachments/0`,
      '/api/v1/events',
      `/frame/message?id=${messages[0].id}`,
      '/_payload.json',
      '/api/v1/nothing',
    ]) {
      const response = await owner.get(each, { cookie })
      await response.body?.cancel()
      expect(response.headers.get('cache-control'), each).toMatch(/^no-store$|^no-cache, no-transform$/)
    }
    for (const each of ['/', `/?message=${messages[0].id}`])
      expect((await fetch(at(each), { headers: { cookie } })).headers.get('cache-control')).toBe('private, no-store')
  })

  test("API responses can't be embedded elsewhere", async () => {
    for (const path of ['/api/v1/domains', '/api/v1/address', '/'])
      expect((await fetch(at(path))).headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  test('no HSTS without https', async () =>
    expect((await fetch(`${plain.url}/`)).headers.get('strict-transport-security')).toBeNull())
})

const create = (origin: string | undefined, cookie?: string, base = at('')) =>
  fetch(`${base}/api/v1/addresses`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(origin === undefined ? {} : { origin }),
      ...(cookie === undefined ? {} : { cookie }),
    },
    body: '{}',
  })

describe('the cookie', () => {
  test('is __Host-, Secure, HttpOnly and SameSite=Lax with https', async () => {
    const cookies = (await create(PUBLIC_URL)).headers.getSetCookie().toSorted()
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-mayfly_earlier=[\w-]{43}[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-mayfly_secret=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
  })

  test('is not Secure without https', async () => {
    const cookies = (await create(plain.url, undefined, plain.url)).headers.getSetCookie().toSorted()
    expect(cookies).toEqual([
      expect.stringMatching(/^mayfly_earlier=[\w-]{43}[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^mayfly_secret=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  test.each([
    undefined,
    'https://evil.example',
    'null',
    'https://sub.mail.example',
    'https://mail.example.evil.example',
    'javascript:',
  ])('is not given to the origin %s', async (origin) => {
    const response = await create(origin)
    expect(response.status).toBe(201)
    expect(response.headers.get('set-cookie')).toBeNull()
  })
})

describe("state changes with a cookie need the site's own origin", () => {
  let cookie: string
  let id: string
  beforeAll(async () => {
    const response = await create(PUBLIC_URL)
    const { address, secret }: any = await response.json()
    cookie = `__Host-mayfly_secret=${secret}`
    await sendMail(program.smtpPort, { to: address, subject: 'bait', text: 'bait' })
    const list: any = await (await fetch(at('/api/v1/messages?wait=10'), { headers: { cookie } })).json()
    id = list.messages[0].id
  })

  const calls: [string, string, string?][] = [
    ['DELETE', '/api/v1/address'],
    ['POST', '/api/v1/address/extend'],
    ['PATCH', '/api/v1/messages/ID', '{"seen":true}'],
    ['DELETE', '/api/v1/messages/ID'],
    ['POST', '/api/v1/session/reveal'],
    ['DELETE', '/api/v1/session'],
  ]
  const foreign = [
    undefined,
    'null',
    'https://evil.example',
    'https://sub.mail.example',
    'http://mail.example.evil.example',
    'https://mail.example:8443',
    'HTTPS://MAIL.EXAMPLE@evil.example',
  ]

  test.each(calls)('%s %s', async (method, path, body) => {
    for (const origin of foreign) {
      const response = await fetch(at(path.replace('ID', id)), {
        method,
        headers: {
          cookie,
          ...(origin === undefined ? {} : { origin }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      })
      expect([response.status, ((await response.json()) as any).code], `${origin}`).toEqual([403, 'forbidden_origin'])
    }
  })

  test('the same host without https is a foreign origin', async () => {
    const lines = ['Content-Length: 0', `Cookie: ${cookie}`]
    const post = async (origin: string) => {
      const request = rawRequest('POST', '/api/v1/address/extend', `Origin: ${origin}`, ...lines)
      return (await sendRaw(program.httpPort, request.replace('Host: localhost', 'Host: mail.example'))).status
    }
    expect(await post('http://mail.example')).toBe(403)
    expect(await post(PUBLIC_URL)).toBe(200)
  })

  test('a bearer token is accepted from any origin', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const headers = { origin, authorization: `Bearer ${cookie.split('=')[1]}` }
      expect((await fetch(at('/api/v1/address/extend'), { method: 'POST', headers })).status).toBe(200)
    }
  })

  test('replacing an address with a foreign cookie is refused, because it would switch the address', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const response = await fetch(at('/api/v1/addresses'), {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/json' },
        body: '{"replace":true}',
      })
      expect([response.status, response.headers.get('set-cookie')]).toEqual([201, null])
    }
    expect((await fetch(at('/api/v1/address'), { headers: { cookie } })).status).toBe(200)
  })

  test('only pages of the site may open a secret on this device', async () => {
    for (const origin of foreign) {
      const response = await fetch(at('/api/v1/session'), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) },
        body: JSON.stringify({ secret: cookie.split('=')[1] }),
      })
      expect(response.status).toBe(403)
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })

  test.each(['create', 'change', 'delete', 'extend', 'delete-message'])('the form %s', async (action) => {
    for (const origin of foreign) {
      const response = await fetch(at(`/actions/${action}`), {
        method: 'POST',
        redirect: 'manual',
        headers: {
          cookie,
          'content-type': 'application/x-www-form-urlencoded',
          ...(origin === undefined ? {} : { origin }),
        },
        body: `id=${id}`,
      })
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toContain('error=forbidden_origin')
      expect(response.headers.get('set-cookie')).toBeNull()
    }
  })

  test("without the site's own origin, the message is unchanged", async () => {
    const list: any = await (await fetch(at('/api/v1/messages'), { headers: { cookie } })).json()
    expect(list.messages).toMatchObject([{ id, seen: false }])
  })

  test('with it, the message is deleted', async () => {
    const response = await fetch(at(`/api/v1/messages/${id}`), {
      method: 'DELETE',
      headers: { cookie, origin: PUBLIC_URL },
    })
    expect(response.status).toBe(204)
  })
})
