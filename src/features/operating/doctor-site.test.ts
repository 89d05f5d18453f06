import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DOMAIN, openOutside, type Outside, troubles } from '#test/support/dns/outside.ts'

let outside: Outside
beforeAll(async () => {
  outside = await openOutside()
})
beforeEach(() => outside.heal())
afterAll(() => outside.close())

type Options = Parameters<Outside['service']>[1]
/** Returns the finding of a check of the service. */
async function finding(check: string, env: Record<string, string> = {}, options: Options = {}) {
  const findings = await outside.service(env, options).doctor.service()
  return findings.find((each) => each.check === check)
}

/** Answers requests to the site in a way. */
const answers = (status: number, headers: Record<string, string>, body = '') =>
  outside.answerWeb((_request, response) => void response.writeHead(status, headers).end(body))

test('fetches the site at its public URL', async () => {
  expect(await finding('Site')).toMatchObject({ level: 'ok', about: DOMAIN, found: 'https://mayfly.example' })
})

test.each<[what: string, status: number, headers: Record<string, string>, body: string, found: RegExp, advice: RegExp]>(
  [
    ['a proxy that does not pass Host on', 421, {}, '', /421/, /Host header/],
    ['a proxy without the service', 502, {}, '', /502/, /proxy/],
    ['a redirect', 301, { location: 'https://www.mayfly.example/api' }, '', /301.*www\.mayfly/, /MAYFLY_PUBLIC_URL/],
    ['another site', 200, {}, '<html>Welcome to nginx', /another/, /MAYFLY_PUBLIC_URL/],
    ['another Mayfly', 200, {}, '{"domains":[{"name":"other.example"}]}', /another/, /MAYFLY_PUBLIC_URL/],
  ],
)('fails for %s', async (_what, status, headers, body, found, advice) => {
  answers(status, headers, body)
  expect(await finding('Site')).toMatchObject({
    level: 'fail',
    found: expect.stringMatching(found),
    advice: expect.stringMatching(advice),
  })
})

test.each([401, 403, 429, 503])('warns of a server in front that answers %i', async (status) => {
  answers(status, {})
  expect(await finding('Site')).toMatchObject({ level: 'warn', found: expect.stringContaining(`${status} from here`) })
})

test('fails for a site without an address, a port without a server and a certificate that is not trusted', async () => {
  outside.zone[`${DOMAIN} A`] = []
  expect(await finding('Site')).toMatchObject({ level: 'fail', found: expect.stringMatching(/no IP address/) })
  outside.heal()
  expect(await finding('Site', {}, { webPort: 9 })).toMatchObject({
    level: 'fail',
    found: expect.stringMatching(/connection refused/),
  })
  const distrusted = await finding('Site', {}, { ca: (await outside.certify('other')).cert })
  expect(distrusted).toMatchObject({ level: 'fail', advice: expect.stringMatching(/certificate/) })
  outside.zone['www.mayfly.example A'] = ['127.0.0.1']
  expect(await finding('Site', { MAYFLY_PUBLIC_URL: 'https://www.mayfly.example' })).toMatchObject({
    level: 'fail',
    found: 'https://www.mayfly.example: issued for another name',
  })
})

test('warns of a certificate of the site that expires soon', async () => {
  const { cert, private: key } = await outside.certify(DOMAIN, 13)
  const server = createHttpsServer({ cert, key }, (_request, response) =>
    response.end(JSON.stringify({ domains: [{ name: DOMAIN }] })),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await finding('Site', {}, { webPort: port })).toMatchObject({
    level: 'warn',
    found: expect.stringMatching(/12 more days/),
  })
  server.close()
})

test('fetches a site at a port, and none on localhost', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/api/v1/domains' ? 200 : 404).end(`{"domains":[{"name":"${DOMAIN}"}]}`)
  })
  server.listen(0, '127.0.0.9')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  outside.zone[`${DOMAIN} A`] = ['127.0.0.9']
  expect(await finding('Site', { MAYFLY_PUBLIC_URL: `http://${DOMAIN}:${port}` })).toMatchObject({ level: 'ok' })
  server.close()
  expect(await finding('Site', { MAYFLY_PUBLIC_URL: 'http://localhost:3000' })).toBeUndefined()
  expect(await finding('HTTP port', { MAYFLY_PUBLIC_URL: 'http://localhost:3000' })).toBeUndefined()
})

test('warns if the HTTP port of the service can be reached without TLS', async () => {
  const server = createServer((request, response) => response.writeHead(request.url === '/livez' ? 200 : 421).end('{}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = { MAYFLY_HTTP_PORT: String(port) }
  expect(await finding('HTTP port', env, { isOwnAddress: () => false })).toMatchObject({
    level: 'warn',
    about: '127.0.0.1',
    found: expect.stringContaining(`port ${port}`),
    advice: expect.stringMatching(/firewall/),
  })
  // A firewall lets this machine pass.
  expect(await finding('HTTP port', env)).toMatchObject({
    level: 'ok',
    found: expect.stringMatching(/another machine/),
  })
  server.close()
  expect(await finding('HTTP port', env, { isOwnAddress: () => false })).toMatchObject({ level: 'ok' })
})

test('warns of a public site without a public URL', async () => {
  const service = async (env: Record<string, string>) => outside.service(env).doctor.service()
  expect(troubles(await service({ MAYFLY_HOST: '0.0.0.0' }))).toEqual([])
  const findings = await service({ MAYFLY_HOST: '0.0.0.0', MAYFLY_PUBLIC_URL: 'http://localhost:3000' })
  expect(troubles(findings)).toEqual(['warn Site'])
  expect(findings.at(-1)?.found).toContain('MAYFLY_PUBLIC_URL is http://localhost:3000')
})

test('warns of the sandbox on a public site', async () => {
  const env = { MAYFLY_PAYMENT_SANDBOX: 'on-public-site', MAYFLY_PUBLIC_URL: 'https://mayfly.example' }
  const findings = await outside.service(env).doctor.service()
  expect(troubles(findings)).toEqual(['warn Payments'])
  expect(findings.find(({ check }) => check === 'Payments')?.found).toContain('gets Premium without paying')
})

test('warns of the settings of a service for tests on a public site', async () => {
  const findings = await outside.service({ MAYFLY_SMTP_AUTH: 'on' }).doctor.service()
  expect(troubles(findings)).toEqual(['warn Receiver'])
  expect(findings.find(({ check }) => check === 'Receiver')?.found).toContain('MAYFLY_SMTP_AUTH is "on"')
})

test('warns of a public site that does not say who runs it', async () => {
  const service = async (env: Record<string, string>) => outside.service(env).doctor.service()
  expect(troubles(await service({}))).toEqual([])
  const findings = await service({ MAYFLY_OPERATOR_NAME: '', MAYFLY_OPERATOR_EMAIL: '' })
  expect(troubles(findings)).toEqual(['warn Operator'])
  expect(findings.at(-1)?.found).toContain('MAYFLY_OPERATOR_NAME, MAYFLY_OPERATOR_EMAIL not set')
})

test('warns of a key file that other users can read', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'mayfly-doctor-')), 'service.key')
  writeFileSync(file, 'ab'.repeat(32))
  const service = async () => outside.service({ MAYFLY_SECRET_KEY_FILE: file }).doctor.service()
  chmodSync(file, 0o600)
  expect(troubles(await service())).toEqual([])
  chmodSync(file, 0o644)
  const findings = await service()
  expect(troubles(findings)).toEqual(['warn Service key'])
  expect(findings.find(({ check }) => check === 'Service key')?.found).toContain(`${file} has mode 0644`)
  rmSync(dirname(file), { recursive: true })
})
