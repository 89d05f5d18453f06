import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

describe('a message in its frame', () => {
  let owner: ApiClient
  let id: string
  beforeAll(async () => {
    owner = await createAddress(program.url)
    const html = '<p>hello</p><img src="https://tracker.example/pixel.png"><script>alert(1)</script>'
    await sendMail(program.smtpPort, { to: owner.address, subject: 'frame', html })
    id = (await owner.json('/api/v1/messages?wait=10')).messages[0].id
  })
  const cookie = () => `mayfly_secret=${owner.secret}`
  const frame = (query: string, headers = { cookie: cookie() }) =>
    fetch(`${program.url}/frame/message?id=${id}${query}`, { headers })

  test('has a separate policy: nothing runs and nothing is loaded', async () => {
    const response = await frame('')
    const csp = response.headers.get('content-security-policy') ?? ''
    expect(csp).toContain("default-src 'none'")
    expect(csp).toContain('sandbox')
    expect(csp).not.toContain('allow-scripts')
    expect(csp).not.toContain('allow-same-origin')
    expect(csp).toContain("frame-ancestors 'self'")
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const html = await response.text()
    expect(html).toContain('hello')
    expect(html).not.toMatch(/tracker\.example|<script/)
  })

  test('shows an attached image only if its bytes are one', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
    const attachments = [
      { filename: 'a.png', content: png },
      { filename: 'b.png', contentType: 'image/png', content: '<svg onload="alert(1)"></svg>' },
    ]
    await sendMail(program.smtpPort, { to: owner.address, subject: 'pictures', text: 'x', attachments })
    const { messages } = await owner.json('/api/v1/messages?wait=10&subject=pictures')
    const shown = (index: string) =>
      fetch(`${program.url}/frame/message?id=${messages[0].id}&image=${index}`, { headers: { cookie: cookie() } })
    const response = await shown('0')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).toContain(`<img src="data:image/png;base64,${png.toString('base64')}"`)
    for (const index of ['1', '2', '-1', 'x']) expect((await shown(index)).status, index).toBe(404)
  })

  test('needs the secret', async () => expect((await frame('', { cookie: '' })).status).toBe(401))

  test("shows remote images on request through the proxy, with signed URLs that can't be changed", async () => {
    const html = await (await frame('&images=1')).text()
    expect(html).not.toContain('"https://tracker.example')
    const path = /\/proxy\?[^"')\s]+/.exec(html)?.[0].replaceAll('&amp;', '&') ?? ''
    expect(path).toContain(Buffer.from('https://tracker.example/').toString('base64url').slice(0, 20))
    const url = new URL(path, program.url)
    // The host does not exist, so the fetch fails with 502. All others are refused before.
    expect((await fetch(url)).status).toBe(502)
    for (const name of url.searchParams.keys()) {
      const changed = new URL(url)
      changed.searchParams.set(name, `1${url.searchParams.get(name)}`)
      expect([403, 404, 400], name).toContain((await fetch(changed)).status)
      changed.searchParams.delete(name)
      expect([403, 404, 400], name).toContain((await fetch(changed)).status)
    }
    expect([400, 403, 404]).toContain((await fetch(`${program.url}/proxy?url=http://127.0.0.1/`)).status)
  })

  test('never connects to an internal server, even if the message names it and the URL is signed', async () => {
    let reached = 0
    const inside = createServer((_request, response) => response.end(String(reached++)))
    inside.on('connection', () => reached++)
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
    const { port } = inside.address() as AddressInfo
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0']
    const html = hosts.map((host) => `<img src="http://${host}:${port}/x.png">`).join('')
    await sendMail(program.smtpPort, { to: owner.address, subject: 'inside', html })
    const { messages } = await owner.json('/api/v1/messages?wait=10&subject=inside')
    const page = await fetch(`${program.url}/frame/message?id=${messages[0].id}&images=1`, {
      headers: { cookie: cookie() },
    })
    const signed = [...(await page.text()).matchAll(/\/proxy\?[^"')\s]+/g)].map(([path]) =>
      path.replaceAll('&amp;', '&'),
    )
    expect(signed).toHaveLength(hosts.length)
    for (const path of signed) {
      const response = await fetch(program.url + path)
      expect([response.status, ((await response.json()) as any).code]).toEqual([502, 'remote_content_failed'])
    }
    inside.close()
    expect(reached).toBe(0)
  })
})

test('the measuring frame runs one script and has no origin', async () => {
  const response = await fetch(`${program.url}/frame/measure`)
  const csp = response.headers.get('content-security-policy') ?? ''
  expect(csp).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; img-src data:; /)
  expect(csp).toMatch(/; sandbox allow-scripts allow-modals$/)
})

describe('the frame for messages that the browser opened itself', () => {
  const csp = async (query: string): Promise<string> => {
    const response = await fetch(`${program.url}/frame/private${query}`)
    expect([response.status, response.headers.get('x-frame-options')]).toEqual([200, 'SAMEORIGIN'])
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    return response.headers.get('content-security-policy') ?? ''
  }

  test('runs one script, has no origin, and loads only allowed images', async () => {
    expect(await csp('')).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; img-src data:; .*; sandbox allow-scripts/,
    )
    expect(await csp('?images=1')).toContain("img-src data: 'self';")
    expect(await csp('')).not.toContain('allow-same-origin')
  })
})
