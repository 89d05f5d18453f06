import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'
import { rawRequest, sendRaw } from '#test/support/program/raw.ts'

const STREAMS = 4
let program: Program
beforeAll(async () => {
  program = await startProgram({
    env: {
      MAYFLY_API_REQUESTS_PER_SECOND: '100000',
      MAYFLY_PAGE_REQUESTS_PER_SECOND: '90000',
      MAYFLY_ADDRESS_CREATE_BURST: '100000',
      MAYFLY_STREAMS_PER_IP_MAX: String(STREAMS),
      MAYFLY_REQUEST_SECONDS: '1',
    },
  })
})
afterAll(async () => {
  // No request may cause a warning or an error in the log.
  expect(program.stderr.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([])
  expect(program.stderr.join('\n')).not.toContain('canary')
  await program.stop()
})

const get = (target: string, ...headers: string[]) => sendRaw(program.httpPort, rawRequest('GET', target, ...headers))

describe('a path', () => {
  test.each([
    ['//[canary', 404],
    ['///', 404],
    ['//evil.example/zh', 404],
    ['/%zz?secret=canary', 400],
    ['/api/v1/messages/%zz', 400],
    ['/LONG', 404],
    ['/VERY-LONG', 431],
    ['http://[', 400],
  ])('%s: %i', async (path, status) => {
    const answer = await get(path.replace('VERY-LONG', 'a'.repeat(20_000)).replace('LONG', 'a'.repeat(9000)))
    expect(answer.status).toBe(status)
    expect(answer.header('x-content-type-options')).toBe('nosniff')
    if (path.startsWith('/api/')) expect(answer.header('access-control-allow-origin')).toBe('*')
    if (status === 404) return
    expect(answer.header('content-type')).toBe('application/problem+json')
    expect(JSON.parse(answer.body)).toMatchObject({ status, code: 'invalid_request' })
    expect(answer.body).not.toContain('canary')
  })

  test.each(['/%61pi/v1/domains', 'http://localhost/api/v1/domains', '/api/v1/nothing'])(
    '%s has the limits of the API',
    async (path) => expect((await get(path)).header('ratelimit-limit')).toBe('100000'),
  )

  test('with an extra slash is a different path', async () => {
    expect((await get('/api/v1/address/')).status).toBe(404)
    expect((await get(`/api/v1/messages/${'x'.repeat(300)}`)).status).toBe(401)
  })

  test.each(['/?x=</script><script>alert(1)</script>', '/en?x="><img src=x onerror=alert(1)>'])(
    '%s stays text in the page',
    async (path) => expect((await get(path)).body).not.toMatch(/<script>alert|<img src=x/),
  )
})

describe('a request', () => {
  test.each([
    ['without a protocol', 'GARBAGE\r\n\r\n', 400],
    ['with two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'with a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['with a header of 20 KB', rawRequest('GET', '/', `X-Canary: ${'a'.repeat(20_000)}`), 431],
    ['with a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\nSet-Cookie: b\r\n\r\n', 400],
    [
      'that never completes',
      'POST /api/v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      408,
    ],
    ['whose headers never end', 'GET / HTTP/1.1\r\nHost: x\r\nX: ', 408],
  ])('%s', async (_what, text, status) => {
    const answer = await sendRaw(program.httpPort, text)
    expect(answer.status).toBe(status)
    expect(answer.header('access-control-allow-origin')).toBe('*')
    expect(answer.header('content-type')).toBe('application/problem+json')
    expect(JSON.parse(answer.body)).toMatchObject({ status, code: 'invalid_request' })
  })

  test('for a range gets the whole resource; a failing condition is not a server error', async () => {
    expect((await get('/favicon.svg', 'Range: bytes=9999999-')).status).toBe(200)
    expect((await get('/favicon.svg', 'If-Match: "x"')).status).toBe(400)
  })

  test.each(['mayfly_secret=%E0%A4%A', 'mayfly_secret', '; =;;=', 'mayfly_secret="x'])(
    'with the cookie %j is anonymous',
    async (cookie) => expect((await get('/api/v1/address', `Cookie: ${cookie}`)).status).toBe(401),
  )

  test('with an invalid bearer token does not fall back to the cookie', async () => {
    const { secret } = await createAddress(program.url)
    const cookie = `Cookie: mayfly_secret=${secret}`
    expect((await get('/api/v1/address', cookie)).status).toBe(200)
    for (const bearer of ['Bearer', 'Bearer x y', 'bearer %%'])
      expect((await get('/api/v1/address', cookie, `Authorization: ${bearer}`)).status).toBe(401)
  })

  test('in HTTP/1.1 chunks is limited as well', async () => {
    const chunk = `${(20_000).toString(16)}\r\n${' '.repeat(20_000)}\r\n0\r\n\r\n`
    const head = rawRequest('POST', '/api/v1/addresses', 'Content-Type: application/json', 'Transfer-Encoding: chunked')
    expect((await sendRaw(program.httpPort, head + chunk)).status).toBe(413)
  })

  test.each([
    { login: 12_345 },
    { login: ['abcd'] },
    { login: true },
    { login: null },
    { replace: 'false' },
    { lifetime: null },
    { domain: 0 },
  ])('with the body %j is not converted: 400', async (body) => {
    const response = await call(program.url, 'POST', '/api/v1/addresses', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_request', detail: expect.stringMatching(/^body\//) })
  })

  test.each(['utm_source=x', 'wait=9999', '__proto__=1', 'constructor=1', 'a[b]=c'])(
    'refuses the unknown query parameter %s',
    async (query) => expect((await get(`/api/v1/domains?${query}`)).status).toBe(400),
  )

  test.each(['login=a&login=b', 'domain=a&domain=b', 'lang=x&lang=y', '__proto__=x', 'lifetime[]=x'])(
    'ignores the invalid field of the form %s',
    async (body) => {
      const response = await fetch(`${program.url}/actions/create`, {
        method: 'POST',
        redirect: 'manual',
        body,
        headers: {
          origin: program.url,
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        },
      })
      expect([response.status, response.headers.get('location')]).toEqual([303, '/'])
    },
  )
})

describe('a client that disconnects', () => {
  /** Sends a request and disconnects before a response is possible. */
  async function leave(request: string): Promise<void> {
    const socket = connect(program.httpPort, '127.0.0.1')
    await new Promise<void>((resolve) => socket.write(request, () => resolve()))
    socket.destroy()
  }

  test.each(['/api/v1/events', '/api/v1/messages?wait=60'])('releases its place on %s', async (path) => {
    const owner = await createAddress(program.url)
    const request = rawRequest('GET', path, `Authorization: Bearer ${owner.secret}`)
    for (let i = 0; i < 10 * STREAMS; i++) await leave(request)
    // All places are free again: exactly as many clients as places are accepted.
    let streams: Response[] = []
    await expect
      .poll(async () => {
        await Promise.all(streams.map((stream) => stream.body?.cancel()))
        streams = await Promise.all(Array.from({ length: STREAMS }, () => owner.get('/api/v1/events')))
        return streams.map(({ status }) => status)
      })
      .toEqual(Array(STREAMS).fill(200))
    const more = await owner.get('/api/v1/events')
    expect([more.status, more.headers.get('retry-after')]).toEqual([429, '10'])
    await Promise.all(streams.map((stream) => stream.body?.cancel()))
  })

  test('HEAD opens no stream', async () => {
    const owner = await createAddress(program.url)
    const bearer = `Authorization: Bearer ${owner.secret}`
    const answer = await sendRaw(program.httpPort, rawRequest('HEAD', '/api/v1/events', bearer))
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })
})

test('a stop does not wait for streams, long polls and half a request', async () => {
  const stopping = await startProgram({ env: { MAYFLY_SHUTDOWN_SECONDS: '1' } })
  const owner = await createAddress(stopping.url)
  const half = connect(stopping.httpPort, '127.0.0.1').on('error', () => {})
  half.write('POST /api/v1/addresses HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{')
  const stream = await owner.get('/api/v1/events')
  const held = owner.get('/api/v1/messages?wait=60')
  await owner.get('/api/v1/address')
  const ended = stopping.stop()
  const answer = await held
  // Otherwise the client would keep the connection, and the stop would wait for it.
  expect(answer.headers.get('connection')).toBe('close')
  expect(await answer.json()).toMatchObject({ messages: [], next: null })
  expect(await stream.text()).toContain('event: address')
  expect(await ended).toBe(0)
})

test('a stop waits for a response in progress, and for the store', async () => {
  const stopping = await startProgram()
  const owner = await createAddress(stopping.url)
  const stream = await owner.get('/api/v1/events')
  await stream.body?.cancel()
  // The store has not finished the program's last request.
  expect(await stopping.stop()).toBe(0)
  expect(stopping.stderr.at(-1)).toContain('"stopped"')
})
