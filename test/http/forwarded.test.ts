import { request as httpRequest } from 'node:http'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from '#test/support/program/program.ts'
import { rawRequest, sendRaw } from '#test/support/program/raw.ts'

const BURST = 1000
const HOST = 'evil.example'
/** Containers may have no IPv6. */
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'))

const start = (env: Record<string, string>): Promise<Program> =>
  startProgram({
    env: {
      MAYFLY_TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8,2001:db8:ffff::/48',
      MAYFLY_ADDRESS_CREATE_BURST: String(BURST),
      ...env,
    },
  })

interface Asked {
  /** The local end of the connection: the IP address that the program sees. */
  from?: string
  to?: string
  method?: string
  headers?: Record<string, string | string[]>
}
interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends one request on a new connection. */
function ask(port: number, path: string, { from, to = '127.0.0.1', method = 'GET', headers = {} }: Asked = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const options = { host: to, port, path, method, headers, agent: false, ...(from ? { localAddress: from } : {}) }
    const request = httpRequest(options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    request.on('error', reject).end()
  })
}

/** Returns how many addresses this client may still create, after creating one. */
async function left(program: Program, forwarded: string | string[] | undefined, asked: Asked = {}): Promise<number> {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const answer = await ask(program.httpPort, '/api/v1/addresses', { method: 'POST', headers, ...asked })
  return Number(answer.headers['ratelimit-remaining'])
}

describe('the visitor', () => {
  let program: Program
  beforeAll(async () => {
    // If possible it listens on IPv6 and sees 127.0.0.1 as ::ffff:127.0.0.1.
    program = await start({ MAYFLY_HOST: hasIpv6 ? '::' : '127.0.0.1', MAYFLY_API_REQUESTS_PER_SECOND: '100000' })
  })
  afterAll(() => program.stop())

  // Each row is one visitor, in all notations of the header.
  test.each<[string, (string | string[])[]]>([
    ['is the client that the trusted proxy saw', ['192.0.2.1', ' 192.0.2.1 ', '192.0.2.1:4711', '::ffff:192.0.2.1']],
    [
      'is the last entry that is not a trusted proxy',
      [
        '192.0.2.2',
        '198.51.100.7, 192.0.2.2',
        '198.51.100.7,203.0.113.9,192.0.2.2',
        '192.0.2.2, 10.1.2.3',
        '192.0.2.2, 10.1.2.3, 10.255.255.255, 2001:db8:ffff::1',
        '10.9.9.9, 198.51.100.7, 192.0.2.2, 10.1.2.3',
        'nonsense, 192.0.2.2',
        ', ,192.0.2.2',
      ],
    ],
    [
      'is in the last of several header lines',
      [
        ['198.51.100.7', '192.0.2.3'],
        ['192.0.2.3', '10.1.2.3'],
        ['198.51.100.7, 192.0.2.3', '10.1.2.3'],
      ],
    ],
    ['is the /64 of an IPv6 address', ['2001:db8::1', '2001:DB8:0:0:ffff::', '[2001:db8::2]:4711', '[2001:db8::3]']],
    ['is not the neighboring /64', ['2001:db8:0:1::1']],
    ['is one IPv4 address, not its network', ['192.0.2.4']],
    ['is the untrusted proxy, whichever client it names', ['192.0.2.5, 203.0.113.5', '192.0.2.6, 203.0.113.5']],
    [
      'is shared by all clients without an IP address',
      ['unknown', '_hidden', '999.1.1.1', '192.0.2.1 x', 'x'.repeat(5000)],
    ],
    ['is in the trusted network if no other client is named', ['10.7.7.7', '10.7.7.7, 10.1.2.3']],
  ])('%s', async (_, notations) => {
    const counts: number[] = []
    for (const each of notations) counts.push(await left(program, each))
    expect(counts).toEqual(notations.map((_each, index) => BURST - 1 - index))
  })

  test('is the connecting client if no proxy names another', async () => {
    expect(await left(program, undefined)).toBe(BURST - 1)
    expect(await left(program, '')).toBe(BURST - 2)
    expect(await left(program, '127.0.0.1')).toBe(BURST - 3)
  })

  test("can't choose another IP address, whatever the header says", async () => {
    const visitor = { from: '127.0.0.2' }
    const names = ['192.0.2.77', '192.0.2.78', '127.0.0.1', '10.1.2.3', 'unknown']
    const counts: number[] = []
    for (const name of names) counts.push(await left(program, name, visitor))
    expect(counts).toEqual(names.map((_name, index) => BURST - 1 - index))
    expect(await left(program, '192.0.2.77')).toBe(BURST - 1)
  })

  test.skipIf(!hasIpv6)("can't choose another IPv6 address either", async () => {
    expect(await left(program, undefined, { to: '::1' })).toBe(BURST - 1)
    expect(await left(program, '192.0.2.79', { to: '::1' })).toBe(BURST - 2)
    expect(await left(program, '192.0.2.79')).toBe(BURST - 1)
  })

  test("can't choose another IP address in other headers", async () => {
    const before = await left(program, '192.0.2.90')
    for (const name of ['forwarded', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip']) {
      const value = name === 'forwarded' ? 'for=192.0.2.91' : '192.0.2.91'
      await ask(program.httpPort, '/api/v1/addresses', {
        method: 'POST',
        headers: { 'x-forwarded-for': '192.0.2.90', [name]: value },
      })
    }
    expect(await left(program, '192.0.2.90')).toBe(before - 6)
  })
})

describe('every limit', () => {
  let program: Program
  beforeAll(async () => {
    program = await start({
      MAYFLY_API_REQUESTS_PER_SECOND: '3',
      MAYFLY_PAGE_REQUESTS_PER_SECOND: '3',
      MAYFLY_STREAMS_PER_IP_MAX: '1',
    })
  })
  afterAll(() => program.stop())

  test.each([['/api/v1/domains'], ['/en']])('of requests applies to the visitor: %s', async (path) => {
    const statuses = (visitor: string) =>
      Promise.all(
        Array.from({ length: 12 }, () =>
          ask(program.httpPort, path, { headers: { 'x-forwarded-for': visitor } }).then(({ status }) => status),
        ),
      )
    expect(await statuses('192.0.2.1')).toContain(429)
    const other = await ask(program.httpPort, path, { headers: { 'x-forwarded-for': '192.0.2.2' } })
    expect([other.status, other.headers['ratelimit-remaining']]).toEqual([200, '2'])
  })

  test('of streams applies to the visitor', async () => {
    const create = { method: 'POST', headers: { 'x-forwarded-for': '192.0.2.10' } }
    const { secret }: any = JSON.parse((await ask(program.httpPort, '/api/v1/addresses', create)).body)
    // Kept, because the connection of a response that nobody refers to any longer is closed.
    const streams: Response[] = []
    for (const visitor of ['192.0.2.11', '192.0.2.11', '192.0.2.12'])
      streams.push(
        await fetch(`http://127.0.0.1:${program.httpPort}/api/v1/events`, {
          headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': visitor },
        }),
      )
    expect(streams.map(({ status }) => status)).toEqual([200, 429, 200])
    await Promise.all(streams.map(({ body }) => body?.cancel()))
  })
})

describe('the URL of the site', () => {
  const PUBLIC_URL = 'https://mail.example'
  const CLAIMS = { 'x-forwarded-host': HOST, 'x-forwarded-port': '8443', 'x-forwarded-prefix': '/evil.example' }
  let secure: Program
  let plain: Program
  beforeAll(async () => {
    ;[secure, plain] = await Promise.all([
      start({ MAYFLY_PUBLIC_URL: PUBLIC_URL, MAYFLY_API_REQUESTS_PER_SECOND: '1000' }),
      start({ MAYFLY_API_REQUESTS_PER_SECOND: '1000' }),
    ])
  })
  afterAll(() => Promise.all([secure.stop(), plain.stop()]))

  // 127.0.0.1 is a trusted proxy, 127.0.0.2 is not.
  describe.each(['127.0.0.1', '127.0.0.2'])('comes from the settings, whatever %s sends', (from) => {
    test.each(['http', 'https'])('as the protocol: %s', async (proto) => {
      const headers = { ...CLAIMS, 'x-forwarded-proto': proto }
      const cookie = async ({ httpPort }: Program, origin: string) => {
        const asked = { from, method: 'POST', headers: { ...headers, origin } }
        return String((await ask(httpPort, '/api/v1/addresses', asked)).headers['set-cookie'])
      }
      expect(await cookie(secure, PUBLIC_URL)).toMatch(/^__Host-mayfly_secret=.*; Secure/)
      expect(await cookie(plain, plain.url)).toMatch(/^mayfly_secret=(?!.*Secure)/)
      const hsts = async ({ httpPort }: Program) =>
        (await ask(httpPort, '/en', { from, headers })).headers['strict-transport-security']
      expect([await hsts(secure), await hsts(plain)]).toEqual([expect.stringContaining('max-age'), undefined])
    })

    test('as the host: it does not change the allowed origin', async () => {
      const headers = { ...CLAIMS, 'x-forwarded-proto': 'https', origin: `https://${HOST}` }
      for (const { httpPort } of [secure, plain]) {
        const created = await ask(httpPort, '/api/v1/addresses', { from, method: 'POST', headers })
        expect([created.status, created.headers['set-cookie']]).toEqual([201, undefined])
        const acted = await ask(httpPort, '/actions/create', {
          from,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        })
        expect(acted.headers.location).toContain('error=forbidden_origin')
      }
    })

    test.each([
      '/',
      '/en',
      '/zh',
      '/zh/change',
      '/nothing',
      '/_payload.json',
      '/api/v1/openapi.json',
      '/api/v1/nothing',
    ])('as the host: %s ignores it', async (path) => {
      for (const { httpPort } of [secure, plain]) {
        const headers = { ...CLAIMS, host: HOST, forwarded: `host=${HOST};proto=https` }
        const { headers: got, body } = await ask(httpPort, path, { from, headers })
        expect(JSON.stringify(got) + body).not.toContain(HOST)
      }
    })
  })

  test('also for a request without a host, or with an absolute URL', async () => {
    const whole = await sendRaw(
      secure.httpPort,
      rawRequest('GET', `http://${HOST}/zh/change`, `X-Forwarded-Host: ${HOST}`),
    )
    expect([whole.status, whole.header('location')]).toEqual([301, '/change'])
    const old = await sendRaw(secure.httpPort, `GET /en HTTP/1.0\r\nX-Forwarded-Host: ${HOST}\r\n\r\n`)
    expect(old.status).toBe(200)
    expect(old.text).not.toContain(HOST)
    expect(old.body).toContain(`${PUBLIC_URL}/en`)
  })
})
