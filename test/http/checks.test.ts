import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MessageChecksJson } from '#contract/checks.ts'
import { type FakeRspamd, startFakeRspamd } from '#test/support/fakes/rspamd.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const CLIPPED_FROM = 102 * 1024

let program: Program
let rspamd: FakeRspamd
let owner: ApiClient
/** The site that the messages link to. */
let site: Server
let link = ''
let handler: RequestListener = (_request, response) => void response.end()
const opened: { method: string; url: string; headers: object }[] = []

beforeAll(async () => {
  rspamd = await startFakeRspamd()
  program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_RSPAMD_URL: rspamd.url } })
  owner = await createAddress(program.url)
  site = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    opened.push({ method, url, headers })
    handler(request, response)
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  link = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await program.stop()
  await rspamd.close()
})

/** Sends a message and returns the path of its checks. */
async function deliver(message: object, client = owner): Promise<string> {
  const { messages: before } = await client.json('/api/v1/messages')
  await sendMail(program.smtpPort, { to: client.address, subject: 'A message', ...message })
  const after = before[0] ? `&after=${before[0].id}` : ''
  const { messages } = await client.json(`/api/v1/messages?wait=30${after}`)
  return `/api/v1/messages/${messages[0].id}/checks`
}

const checks = async (message: object, query = ''): Promise<MessageChecksJson> =>
  owner.json((await deliver(message)) + query)
const texts = ({ problems }: MessageChecksJson, name: string): string[] =>
  problems.filter(({ check }) => check === name).map(({ text }) => text)

describe('a message', () => {
  test('without faults has no problems', async () => {
    const body = 'Hello Ann, your parcel is on the way to your house'
    const found = await checks({ text: body, html: `<p>${body}</p>` })
    expect(found).toMatchObject({
      problems: [],
      links: { total: 0, truncated: false, list: [] },
      html: { issues: [], elements: 1 },
      text: { present: true, empty: false, similarity: 1 },
      listUnsubscribe: { present: false, bulkSigns: [], required: false },
      spam: { score: 0, action: 'no action', isSpam: false },
    })
    expect(found.html?.clients.length).toBeGreaterThan(30)
  })

  test('in HTML alone is told that clients do not support it, and that it has no text', async () => {
    const found = await checks({ html: '<p>Hi</p>\n<div style="display:grid">x</div>' })
    const grid = found.html?.issues.find(({ feature }) => feature === 'css-display-grid')
    expect(grid).toMatchObject({ found: 1, places: [{ line: 2, snippet: 'display: grid' }] })
    expect(grid?.unsupported).toContain('Outlook (Windows)')
    expect(found.text).toEqual({ present: false, empty: true, similarity: null })
    expect(texts(found, 'text')).toEqual(['There is no text part beside the HTML.'])
  })

  test('whose text part has nothing to do with its HTML, or is blank', async () => {
    const html = '<p>Your invoice for November is attached, please pay within ten days</p>'
    expect(texts(await checks({ html, text: 'Use a client that can show HTML' }), 'text')).toHaveLength(1)
    expect(texts(await checks({ html, text: ' \n ' }), 'text')).toEqual(['The text part is empty.'])
  })

  test.each([
    [CLIPPED_FROM - 1, false],
    [CLIPPED_FROM, false],
    [CLIPPED_FROM + 1, true],
  ])('with %i bytes of HTML: clipped by Gmail: %s', async (bytes, clipped) => {
    const html = `<p>${'x'.repeat(bytes - 7)}</p>`
    const found = await checks({ html, text: 'x', encoding: 'base64' })
    expect(found.size).toMatchObject({ html: bytes, clipped })
    expect(texts(found, 'size')).toHaveLength(clipped ? 1 : 0)
  })

  test('of many needs a way to unsubscribe by one click', async () => {
    const bulk = { text: 'News', headers: { Precedence: 'bulk' } }
    expect((await checks(bulk)).listUnsubscribe).toMatchObject({
      present: false,
      bulkSigns: ['precedence'],
      required: true,
    })
    expect(texts(await checks(bulk), 'list-unsubscribe')).toHaveLength(1)
    const headers = {
      'List-Unsubscribe': '<mailto:off@shop.example>, <https://shop.example/off?id=1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    const { listUnsubscribe } = await checks({ text: 'News', headers })
    expect(listUnsubscribe).toEqual({
      present: true,
      urls: ['mailto:off@shop.example', 'https://shop.example/off?id=1'],
      https: true,
      mailto: true,
      oneClick: true,
      signed: false,
      bulkSigns: ['list-unsubscribe'],
      required: true,
    })
  })

  test('from this machine gets a note beside SPF, DKIM and DMARC', async () => {
    const signature = 'v=1; a=rsa-sha256; d=Shop.example; s=k1; h=from; bh=x; b=x'
    const from = 'Shop <news@shop.example>'
    const { authentication } = await checks({ from, text: 'x', headers: { 'DKIM-Signature': signature } })
    expect(authentication).toMatchObject({
      spf: { domain: 'shop.example' },
      dkim: { signatures: [{ domain: 'shop.example', selector: 'k1' }] },
      dmarc: { domain: 'shop.example' },
      note: expect.stringContaining('this machine'),
    })
  })

  test('tells of a DKIM signature that cannot be read', async () => {
    const path = await deliver({ text: 'x', headers: { 'DKIM-Signature': 'hello' } })
    // The message may be announced before its sender is checked.
    await expect
      .poll(async () => texts(await owner.json(path), 'authentication'))
      .toEqual(['DKIM has the result neutral.'])
  })

  test('gets the score of the spam filter, or what went wrong with it', async () => {
    const path = await deliver({ subject: 'Win money', text: 'x' })
    expect(await owner.json(path)).toMatchObject({ spam: { score: 12, action: 'add header', isSpam: true } })
    rspamd.faults.fail(500, 1)
    const failed: MessageChecksJson = await owner.json(path)
    expect(failed.spam).toEqual({ error: 'The spam filter answered with the status 500.' })
    expect(texts(failed, 'spam')).toHaveLength(1)
  })
})

describe('links', () => {
  const linked = () => ({
    text: `See ${link}/text. Confirm your address: ${link}/confirm?token=Zk3vQ9x7Lm2pR8sT`,
    html: `<a href="${link}/ok"><img src="a"></a> <a href="${link}/ok">Our shop</a> <a href="${link}/gone">Old</a>
      <a href="${link}/confirm?token=Zk3vQ9x7Lm2pR8sT">Confirm your email address</a>
      <a href="${link}/leave?u=1">Unsubscribe</a> <a href="mailto:a@shop.example">Write</a>`,
    subject: 'Confirm your email address',
  })

  test('are listed, and not opened', async () => {
    opened.length = 0
    const { links, problems } = await checks(linked())
    expect(links).toMatchObject({ total: 5, truncated: false })
    expect(links.list.map(({ url, text, role, check, unchecked }) => [url, text, role, check, unchecked])).toEqual([
      [`${link}/ok`, 'Our shop', null, null, 'not-asked'],
      [`${link}/gone`, 'Old', null, null, 'not-asked'],
      [`${link}/confirm?token=Zk3vQ9x7Lm2pR8sT`, 'Confirm your email address', 'confirmation', null, 'not-asked'],
      [`${link}/leave?u=1`, 'Unsubscribe', 'unsubscribe', null, 'not-asked'],
      [`${link}/text`, `${link}/text`, null, null, 'not-asked'],
    ])
    expect(problems.filter(({ check }) => check === 'links')).toEqual([])
    expect(opened).toEqual([])
  })

  test('are opened on request, but not those to confirm and to unsubscribe', async () => {
    handler = (request, response) => {
      if (request.url === '/ok') response.writeHead(301, { location: '/shop' })
      else if (request.url === '/gone') response.writeHead(404)
      response.end()
    }
    opened.length = 0
    const found = await checks(linked(), '?links=check')
    expect(found.links.list.map(({ check, unchecked }) => check ?? unchecked)).toEqual([
      { result: 'ok', status: 200, redirects: [{ status: 301, url: `${link}/shop` }], reason: null },
      { result: 'failed', status: 404, redirects: [], reason: null },
      'skipped',
      'skipped',
      { result: 'ok', status: 200, redirects: [], reason: null },
    ])
    expect(texts(found, 'links')).toEqual([`Links that do not work: ${link}/gone (404).`])
    const paths = opened.map(({ method, url }) => `${method} ${url}`)
    expect(paths.toSorted()).toEqual(['GET /gone', 'HEAD /gone', 'HEAD /ok', 'HEAD /shop', 'HEAD /text'])
    for (const { headers } of opened)
      expect(Object.keys(headers).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  })

  test('are all opened if asked for', async () => {
    opened.length = 0
    const { links } = await checks(linked(), '?links=check-all')
    expect(links.list.every(({ check }) => check !== null)).toBe(true)
    expect(opened.map(({ url }) => url)).toContain('/leave?u=1')
  })

  test('are opened up to a number, and listed up to another', async () => {
    handler = (_request, response) => void response.end()
    const html = Array.from({ length: 230 }, (_, i) => `<a href="${link}/${i}">${i}</a>`).join('')
    const { links } = await checks({ html }, '?links=check')
    expect(links).toMatchObject({ total: 230, truncated: true })
    expect(links.list).toHaveLength(200)
    expect(links.list.filter(({ check }) => check?.result === 'ok')).toHaveLength(50)
    expect(links.list.filter(({ unchecked }) => unchecked === 'too-many')).toHaveLength(150)
  })

  test('to private addresses and to other ports are never opened', async () => {
    const urls = [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://1.1.1.1:25/',
      'http://127.0.0.1.nip.example/',
    ]
    const { links } = await checks({ text: urls.join('\n') }, '?links=check')
    expect(links.list.map(({ check }) => check?.result)).toEqual(['refused', 'refused', 'refused', 'refused'])
  })

  test.each([
    ['came through a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['come from a page of another site', { origin: 'https://evil.example' }],
  ])('to this machine are not opened for requests that %s', async (_name, headers) => {
    const path = await deliver({ text: `${link}/secret` })
    opened.length = 0
    const found = (await (await owner.get(`${path}?links=check`, headers)).json()) as MessageChecksJson
    expect(found.links.list[0]?.check).toMatchObject({ result: 'refused' })
    expect(opened).toEqual([])
  })
})

describe('access', () => {
  test('needs the secret of the address', async () => {
    const path = await deliver({ text: 'x' })
    const other = await createAddress(program.url)
    expect((await fetch(program.url + path)).status).toBe(401)
    expect((await other.get(path)).status).toBe(404)
    expect((await owner.get(`${path}?link=check`)).status).toBe(400)
    expect((await owner.get(`${path}?links=all`)).status).toBe(400)
  })

  test('a client without an exemption checks links ten times, and then has to wait', async () => {
    const path = await deliver({ text: 'no links' })
    // What a proxy forwards is not from this machine.
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await owner.get(`${path}?links=check`, headers)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    expect((await owner.get(path, headers)).status).toBe(200)
    expect((await owner.get(`${path}?links=check`, { 'x-forwarded-for': '203.0.113.10' })).status).toBe(200)
  })
})

test('a message that no parser can read gets a clear answer', async () => {
  const boundaries = Array.from(
    { length: 200 },
    (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n`,
  )
  const raw = `To: ${owner.address}\r\nContent-Type: multipart/mixed; boundary=b0\r\n\r\n${boundaries.join('\r\n')}`
  const path = await deliver({ raw, envelope: { from: 'a@shop.example', to: owner.address } })
  const response = await owner.get(path)
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { code: 'message_damaged', detail: 'The message cannot be parsed in time, so it cannot be checked' },
  ])
})
