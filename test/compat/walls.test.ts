import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { call, createAddress } from '#test/support/program/api.ts'
import { EventReader } from '#test/support/program/event-stream.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'
import { sendRaw } from '#test/support/program/raw.ts'

const SERVICES = ['/compat/mail.tm', '/compat/mailpit']
const JSON_TYPES = { accept: 'application/json', 'content-type': 'application/json' }

interface Account {
  id: string
  address: string
  token: string
  get(path: string, headers?: Record<string, string>): Promise<Response>
}

const post = (url: string, path: string, body: object): Promise<Response> =>
  fetch(`${url}/compat/mail.tm${path}`, { method: 'POST', headers: JSON_TYPES, body: JSON.stringify(body) })

let names = 0
async function newAccount(url: string): Promise<Account> {
  const credentials = { address: `walls${Date.now()}-${++names}@mayfly.test`, password: 'correct horse' }
  expect((await post(url, '/accounts', credentials)).status).toBe(201)
  const { id, token }: any = await (await post(url, '/token', credentials)).json()
  const get = (path: string, headers = {}): Promise<Response> =>
    fetch(`${url}/compat/mail.tm${path}`, { headers: { ...JSON_TYPES, authorization: `Bearer ${token}`, ...headers } })
  return { ...credentials, id, token, get }
}

describe('a site that sets nothing', () => {
  let program: Program
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(() => program.stop())

  test('has no compatible API', async () => {
    for (const path of [...SERVICES, '/compat/mail.tm/domains', '/compat/mailpit/api/v1/messages']) {
      const response = await fetch(program.url + path)
      expect([path, response.status, response.headers.get('access-control-allow-origin')]).toEqual([path, 404, null])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        expect([path, method, (await fetch(program.url + path, { method })).status]).toEqual([path, method, 405])
    }
    await expect(sendMail(program.smtpPort, { to: 'anybody@mayfly.test', text: 'x' })).rejects.toThrow('550 5.1.1')
  })
})

describe('a public site', () => {
  let program: Program
  beforeAll(async () => {
    program = await startProgram({
      env: {
        MAYFLY_COMPAT: 'mail.tm, mailpit',
        MAYFLY_PUBLIC_URL: 'https://mail.example',
        MAYFLY_API_REQUESTS_PER_SECOND: '1000',
        MAYFLY_ADDRESS_CREATE_BURST: '1000',
      },
    })
  })
  afterAll(() => program.stop())
  const local = (): string => `http://127.0.0.1:${program.httpPort}`

  test('needs credentials, and has no shared mailbox', async () => {
    await expect(sendMail(program.smtpPort, { to: 'anybody@mayfly.test', text: 'x' })).rejects.toThrow('550 5.1.1')
    for (const path of ['/compat/mailpit/api/v1/messages', '/compat/mailpit/api/v1/info', '/compat/mail.tm/me'])
      expect([path, (await fetch(local() + path)).status]).toEqual([path, 401])
  })

  test('answers for its own host only', async () => {
    for (const path of ['/compat/mail.tm/domains', '/compat/mailpit/api/v1/messages']) {
      const answer = await sendRaw(
        program.httpPort,
        `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      )
      expect(answer.status).toBe(421)
    }
  })

  test('lets pages of other sites call it, without cookies', async () => {
    for (const path of ['/compat/mail.tm/domains', '/compat/mailpit/api/v1/messages', '/compat/mail.tm/nothing']) {
      const response = await fetch(local() + path, { headers: { origin: 'https://other.example' } })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
      // The limit of the API, not that of the pages.
      expect(response.headers.get('ratelimit-limit')).toBe('1000')
      const preflight = await fetch(local() + path, { method: 'OPTIONS' })
      expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
        204,
        'GET, POST, PUT, PATCH, DELETE',
      ])
    }
    const { secret } = await createAddress(local())
    const cookie = `__Host-mayfly_secret=${secret}`
    for (const path of ['/compat/mailpit/api/v1/messages', '/compat/mail.tm/me']) {
      const response = await fetch(local() + path, { headers: { cookie, origin: 'https://mail.example' } })
      expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null])
    }
    const { get } = await newAccount(local())
    expect((await get('/me')).headers.get('set-cookie')).toBeNull()
  })

  test('limits logins for each client and address, whether the address exists or not', async () => {
    const { address } = await newAccount(local())
    const answers = []
    for (const each of [address, 'nobody.at.all@mayfly.test']) {
      // At once, so that no token comes back, and from different networks, so that only the address has too many.
      const sent = Array.from({ length: 16 }, (_, i) =>
        fetch(`${local()}/compat/mail.tm/token`, {
          method: 'POST',
          headers: { ...JSON_TYPES, 'x-forwarded-for': `198.${i}.0.7` },
          body: JSON.stringify({ address: each, password: 'a wrong one' }),
        }),
      )
      const responses = await Promise.all(sent)
      const refused = responses.find(({ status }) => status === 429)
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
      const texts = await Promise.all(responses.map(async (one) => `${one.status} ${await one.text()}`))
      answers.push([...new Set(texts.map((text) => text.replace(/in \d+ s/, 'soon')))].toSorted())
    }
    expect(answers[0]).toEqual([
      '401 {"code":401,"message":"Invalid credentials."}',
      expect.stringMatching(/^429 .*Try again soon/),
    ])
    expect(answers[1]).toEqual(answers[0])
  })

  test('one client cannot use up the logins to an address, and right passwords use up none', async () => {
    const { address } = await newAccount(local())
    const login = (password: string, ip: string) =>
      fetch(`${local()}/compat/mail.tm/token`, {
        method: 'POST',
        headers: { ...JSON_TYPES, 'x-forwarded-for': ip },
        body: JSON.stringify({ address, password }),
      }).then(({ status }) => status)
    const guesses = await Promise.all(Array.from({ length: 20 }, () => login('a wrong one', '198.51.100.7')))
    expect(new Set(guesses)).toEqual(new Set([401, 429]))
    for (let i = 0; i < 6; i++) expect(await login('correct horse', `203.0.${i}.7`)).toBe(200)
  })

  test('ends tokens and streams within a second after the address', async () => {
    const { get, address, id, token } = await newAccount(local())
    const stream = new EventReader(await get(`/.well-known/mercure?topic=/accounts/${id}`))
    await sendMail(program.smtpPort, verificationMail(address))
    await expect.poll(() => stream.events.map(({ data }) => data['@type'])).toContain('Message')
    expect(stream.events.every(({ event }) => event === undefined)).toBe(true)
    expect((await get('/.well-known/mercure?topic=/accounts/other')).status).toBe(401)
    const message = stream.events.find(({ data }) => data['@type'] === 'Message')!.data
    const deleted = performance.now()
    await call(local(), 'DELETE', `/compat/mail.tm/accounts/${id}`, undefined, token)
    await expect.poll(() => stream.ended).toBe(true)
    expect(performance.now() - deleted).toBeLessThan(1000)
    for (const path of ['/me', '/messages', `/messages/${message.id}`, `/sources/${message.id}`])
      expect([path, (await get(path)).status]).toEqual([path, 401])
    // A client that comes back is told not to do so again.
    const back = await get(`/.well-known/mercure?topic=/accounts/${id}`, { 'last-event-id': String(stream.lastId) })
    expect(back.status).toBe(204)
  })
})
