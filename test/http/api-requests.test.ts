import { beforeAll, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { type ApiClient, call, createAddress } from '#test/support/program/api.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
let owner: ApiClient
beforeAll(async () => {
  program = await sharedProgram()
  owner = await createAddress(program.url)
})

test.each([
  ['GET', '/api/v1/address?secert=1', 'This call has none.'],
  ['POST', '/api/v1/address/extend?x=1', 'This call has none.'],
  ['GET', '/api/v1/domains?tier=free', 'This call has none.'],
  ['GET', '/api/v1/openapi.json?pretty=1', 'This call has none.'],
  ['GET', '/api/v1/messages?subjct=x', 'Did you mean `subject`?'],
  ['GET', '/api/v1/messages/x/checks?link=check', 'Did you mean `links`?'],
  ['GET', '/api/v1/forwardings/log?befor=x', 'Did you mean `before`?'],
  ['GET', '/api/v1/events?since=x', 'Known are: `lastEventId`'],
])('unknown query parameters are refused: %s %s', async (method, path, help) => {
  const [status, code, detail] = await problem(await owner.send(method, path))
  expect([status, code, detail]).toEqual([400, 'invalid_request', expect.stringContaining(help)])
})

test('pages and health checks take any query', async () => {
  for (const path of ['/?utm_source=mail', '/en/api?utm_source=mail&x=', '/livez?x=1', '/api/reference?utm_source=x'])
    expect([path, (await fetch(program.url + path)).status]).toEqual([path, 200])
  expect((await fetch(`${program.url}/api/v1/nothing?x=1`)).status).toBe(404)
})

const WRONG = 'A'.repeat(43)

async function problem(response: Response): Promise<[number, string, string]> {
  const { code, detail } = (await response.json()) as { code: string; detail: string }
  return [response.status, code, detail]
}

test.each(['/api/v1/addresses', '/api/v1/address/extend', '/api/v1/address/secret'])(
  'an empty body with a JSON content type is no body: %s',
  async (path) => {
    const { secret } = await createAddress(program.url)
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const response = await fetch(program.url + path, { method: 'POST', headers, body: '' })
    expect(response.ok).toBe(true)
  },
)

test('`replace` deletes the address of a valid secret, and is refused with a wrong one or none', async () => {
  const replace = (secret?: string) => call(program.url, 'POST', '/api/v1/addresses', { replace: true }, secret)
  for (const secret of [WRONG, undefined]) {
    const [status, code] = await problem(await replace(secret))
    expect([status, code]).toEqual([401, 'unauthorized'])
  }
  const old = await createAddress(program.url)
  expect((await replace(old.secret)).status).toBe(201)
  expect((await old.get('/api/v1/address')).status).toBe(401)
})

test('a secret as an API key, and an API key as a secret, get a detail that says where it belongs', async () => {
  const get = (headers: Record<string, string>) => fetch(`${program.url}/api/v1/address`, { headers })
  expect(await problem(await get({ 'x-api-key': owner.secret }))).toEqual([
    401,
    'key_invalid',
    expect.stringContaining('Send it as `Authorization: Bearer SECRET`'),
  ])
  expect(await problem(await get({ authorization: `Bearer mfk_${WRONG}` }))).toEqual([
    401,
    'unauthorized',
    expect.stringContaining('Send it as `X-Api-Key`'),
  ])
})

test('an attachment has one URL, and the original HTML is beside the sanitized one', async () => {
  const html = '<p onclick="steal()">Hello</p><script>steal()</script>'
  const attachments = [{ filename: 'a.txt', content: 'a' }]
  await sendMail(program.smtpPort, { to: owner.address, subject: 'Hello', html, attachments })
  const { messages } = await owner.json('/api/v1/messages?wait=30')
  const path = `/api/v1/messages/${messages[0].id}`
  expect((await owner.get(`${path}/attachments/0`)).status).toBe(200)
  for (const index of ['00', '01', '0.0', '1.0', '+0', '-0', '0e0', '0x0', '%200'])
    expect([index, (await owner.get(`${path}/attachments/${index}`)).status]).toEqual([index, 400])
  const message = await owner.json(path)
  expect(message.htmlOriginal.trim()).toBe(html)
  expect(message.html).not.toContain('steal')
})

test('openapi.json names the URL of the site', async () => {
  const response = await fetch(`${program.url}/api/v1/openapi.json`)
  expect(await response.json()).toMatchObject({
    servers: [{ url: program.url }],
    info: { contact: { url: `${program.url}/contact` } },
  })
})
