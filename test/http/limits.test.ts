import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const PER_SECOND = 8
const BURST = 5
const MAX_BODY = 1024

describe('default limits', () => {
  let program: Program
  beforeAll(async () => {
    // On a public site: local clients have no default limits on localhost.
    const site = await startProgram({ env: { MAYFLY_PUBLIC_URL: 'https://mail.example' } })
    program = { ...site, url: `http://127.0.0.1:${site.httpPort}` }
  })
  afterAll(() => program.stop())

  test('five addresses at once, then one every eight seconds', async () => {
    const answers: Response[] = []
    const began = performance.now()
    for (let i = 0; i < BURST + 1; i++) answers.push(await call(program.url, 'POST', '/api/v1/addresses', {}))
    expect(answers.map(({ status }) => status)).toEqual([...Array(BURST).fill(201), 429])
    const headers = (name: string) => answers.map((answer) => answer.headers.get(name))
    expect(headers('ratelimit-limit')).toEqual(Array(BURST + 1).fill('5'))
    expect(headers('ratelimit-remaining')).toEqual(['4', '3', '2', '1', '0', '0'])
    const [refused] = answers.slice(-1)
    // The eight seconds started with the first one.
    const seconds = (performance.now() - began) / 1000
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(8 - seconds)
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(8)
    expect(await refused?.json()).toMatchObject({ code: 'too_many_requests', status: 429 })
  })

  test('eight requests per second', async () => {
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 40 }, () => call(program.url, 'GET', '/api/v1/domains')))
    const seconds = (performance.now() - began) / 1000
    const taken = answers.filter(({ status }) => status === 200)
    expect(taken.length).toBeGreaterThanOrEqual(PER_SECOND - BURST - 1)
    expect(taken.length).toBeLessThanOrEqual(PER_SECOND * (1 + seconds) + 1)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('ratelimit-limit')).toBe('8')
    expect(refused?.headers.get('retry-after')).toBe('1')
  })

  test('a page that was refused too often learns that the server responds', async () => {
    const statuses = (path: string) =>
      Promise.all(Array.from({ length: 100 }, async () => (await fetch(program.url + path)).status))
    const [pages, builds] = await Promise.all([statuses('/en/terms'), statuses('/builds/latest.json')])
    expect(pages).toContain(429)
    expect(new Set(builds)).toEqual(new Set([200]))
  })

  test('a browser of another site can read the reason of a refusal', async () => {
    const ask = () => fetch(`${program.url}/api/v1/domains`, { headers: { origin: 'https://other.example' } })
    const answers = await Promise.all(Array.from({ length: 40 }, ask))
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused?.headers.get('access-control-expose-headers')).toMatch(/Retry-After.*Date/)
  })

  test('a preflight of a browser is not limited', async () => {
    const headers = { origin: 'https://other.example', 'access-control-request-method': 'GET' }
    const ask = () => fetch(`${program.url}/api/v1/messages`, { method: 'OPTIONS', headers })
    const answers = await Promise.all(Array.from({ length: 40 }, ask))
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(204))
    expect(answers[0]?.headers.get('access-control-allow-headers')).toContain('X-Visit')
    expect(answers[0]?.headers.has('ratelimit-limit')).toBe(false)
  })

  test('health checks are not limited, and a hundred concurrent ones cause one disk check', async () => {
    for (const path of ['/livez', '/readyz']) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(program.url + path)))
      expect(answers.every(({ status }) => status === 200)).toBe(true)
    }
    const database = new DatabaseSync(join(program.dataDir, 'mayfly.db'), { readOnly: true })
    const row = database.prepare('select checks from health').get()
    database.close()
    expect(Number(row?.checks)).toBeLessThan(10)
  })
})

test('a clock that is set back delays nobody', async () => {
  // A configured limit applies to this machine too.
  const program = await startProgram({ turnable: true, env: { MAYFLY_ADDRESS_CREATE_BURST: '5' } })
  const create = () => call(program.url, 'POST', '/api/v1/addresses', {})
  expect((await create()).headers.get('ratelimit-remaining')).toBe('4')
  await program.turn(-3 * 3600 * 1000)
  expect((await create()).status).toBe(201)
  await program.stop()
})

describe('behind a proxy', () => {
  const create = (program: Program, forwarded: string) =>
    fetch(`http://127.0.0.1:${program.httpPort}/api/v1/addresses`, {
      method: 'POST',
      headers: { 'x-forwarded-for': forwarded },
    }).then(({ headers }) => headers.get('ratelimit-remaining'))

  test("each visitor has separate limits, which a self-chosen header can't change", async () => {
    const program = await startProgram({ env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' } })
    expect(await create(program, '192.0.2.1')).toBe('4')
    expect(await create(program, '192.0.2.1')).toBe('3')
    expect(await create(program, '192.0.2.2')).toBe('4')
    expect(await create(program, '2001:db8::1')).toBe('4')
    expect(await create(program, '2001:db8::2')).toBe('3')
    // Entries before the one that our proxy added were written by the visitor.
    expect(await create(program, '198.51.100.7, 192.0.2.1')).toBe('2')
    expect(await create(program, '192.0.2.1, 10.1.2.3')).toBe('1')
    expect(await create(program, 'nonsense')).toBe('4')
    await program.stop()
  })

  test('visitors of one IPv6 network share limits: a /56 has ten times those of a /64', async () => {
    const program = await startProgram({ env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.1' } })
    // Each from another /64, so that only the shared wider networks can refuse it, and then nothing is left, as for the
    // last one.
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, n) => create(program, `2001:db8:0:${(n + 1).toString(16)}::1`)),
    )
    expect(all.filter((remaining) => remaining === '4').length).toBeGreaterThanOrEqual(45)
    expect(all).toContain('0')
    expect(await create(program, '2001:db8:0:100::1')).toBe('4')
    expect(await create(program, '2001:db8:1::1')).toBe('4')
    await program.stop()
  })

  test('without its configuration, the header is ignored', async () => {
    const program = await startProgram({ env: { MAYFLY_TRUSTED_PROXIES: '10.0.0.0/8' } })
    expect(await create(program, '192.0.2.1')).toBe('4')
    expect(await create(program, '192.0.2.2')).toBe('3')
    await program.stop()
  })
})

describe('requests of every kind', () => {
  let program: Program
  beforeAll(async () => {
    program = await startProgram({
      env: {
        ...WITHOUT_LIMITS,
        MAYFLY_REQUEST_MAX_BYTES: String(MAX_BODY),
      },
    })
  })
  afterAll(() => program.stop())

  const post = (body: string, type = 'application/json') =>
    fetch(`${program.url}/api/v1/addresses`, { method: 'POST', body, headers: { 'content-type': type } })
  const bodyOf = (bytes: number): string => `{"login":"${'a'.repeat(bytes - 12)}"}`

  test.each([
    [MAX_BODY - 1, 400],
    [MAX_BODY, 400],
    [MAX_BODY + 1, 413],
    [1_000_000, 413],
  ])('a body of %i bytes: %i', async (bytes, status) => {
    const text = bodyOf(bytes)
    expect(text.length).toBe(bytes)
    expect((await post(text)).status).toBe(status)
  })

  test.each([
    ['{', 'application/json', 400, 'invalid_request'],
    ['null', 'application/json', 400, 'invalid_request'],
    ['{"__proto__":{"login":"x"}}', 'application/json', 400, 'invalid_request'],
    ['login=abc', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['{}', 'text/plain', 415, 'unsupported_media_type'],
    ['<a/>', 'text/xml', 415, 'unsupported_media_type'],
  ])('the body %j as %s: %i', async (body, type, status, code) => {
    const response = await post(body, type)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ status, code })
  })

  test.each([
    ['GET', '/api/v1/nothing', 404, null],
    ['GET', '/api/v1/', 404, null],
    ['GET', '/api/v1/addresses', 405, 'POST'],
    ['PUT', '/api/v1/address', 405, 'GET, HEAD, DELETE'],
    ['POST', '/api/v1/messages/x', 405, 'GET, HEAD, PATCH, DELETE'],
    ['POST', '/en', 405, 'GET, HEAD'],
  ])('%s %s: %i', async (method, path, status, allow) => {
    const response = await call(program.url, method, path)
    expect(response.status).toBe(status)
    expect(response.headers.get('allow')).toBe(allow)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  })

  test('a path out of the public directory gets 404', async () => {
    const { hostname, port } = new URL(program.url)
    const paths = [
      '/../package.json',
      '/assets/../../../package.json',
      '/assets/..%2f..%2f..%2fpackage.json',
      '/%2e%2e/package.json',
      '/assets/%00',
    ]
    for (const path of paths) {
      const status = await new Promise<number>((resolve, reject) => {
        httpRequest({ hostname, port, path }, (response) => resolve(response.resume().statusCode ?? 0))
          .on('error', reject)
          .end()
      })
      expect([400, 403, 404], path).toContain(status)
    }
  })

  test.each(['/assets/', '/assets/nothing.js', '/pdf/cmaps/'])(
    '%s, which is no public file, gets 404',
    async (path) => {
      expect((await fetch(program.url + path)).status).toBe(404)
    },
  )

  test('a browser of another site may use the API with a secret', async () => {
    const response = await fetch(`${program.url}/api/v1/messages`, {
      method: 'OPTIONS',
      headers: { origin: 'https://other.example' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('HEAD responds without a body', async () => {
    const owner = await createAddress(program.url)
    const response = await owner.send('HEAD', '/api/v1/address')
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  test('/zh redirects to the path without it, and never to another site', async () => {
    for (const [path, location] of [
      ['/zh', '/'],
      ['/zh/', '/'],
      ['/zh/change?x=1', '/change?x=1'],
      ['/zh//evil.example', '/evil.example'],
    ] as const) {
      const response = await fetch(program.url + path, { redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([301, location])
    }
  })
})
