import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { createAddress } from '#test/support/program/api.ts'
import { freePort } from '#test/support/program/free-port.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { type Program, startProgram } from '#test/support/program/program.ts'
import { rawRequest, sendRaw } from '#test/support/program/raw.ts'

let program: Program
beforeAll(async () => {
  program = await startProgram()
})
afterAll(() => program.stop())

describe('the public port', () => {
  test.each([
    '/metrics',
    '/%6detrics',
    '/metric%73',
    '/%6D%65%74%72%69%63%73',
    '/metrics/',
    '//metrics',
    '/./metrics',
    '/en/../metrics',
    '/metrics?x=1',
    '/metrics;x',
    '/METRICS',
    '/en/metrics',
    '/metrics%2f',
    '/metrics%00',
  ])('does not serve %s', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, body } = await sendRaw(program.httpPort, rawRequest(method, path))
      // A path that can't be decoded, or that has an empty segment, is refused or redirected.
      expect([301, 308, 400, 404], path).toContain(status)
      expect(body).not.toContain('mayfly_')
    }
  })

  test('responds with 404 to the path itself', async () => {
    for (const path of ['/metrics', '/%6detrics']) expect((await fetch(program.url + path)).status).toBe(404)
  })
})

describe('the metrics listener', () => {
  test('is on loopback, responds to Prometheus, and serves nothing else', async () => {
    expect(program.stdout).toContainEqual(expect.stringContaining(`  Metrics  ${program.metricsUrl}`))
    const response = await fetch(program.metricsUrl)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const text = await response.text()
    expect(text).toContain('mayfly_smtp_connections_open')
    expect(text).toMatch(/^mayfly_build_info\{version="[\d.]+",build="\w{4,}",node="[\d.]+"\} 1$/m)
    expect(text).toMatch(/^mayfly_disk_free_bytes \d/m)
    expect(text).toContain('mayfly_operator_mailbox_bytes{share="abuse"} 0')
    expect(text).not.toMatch(/^mayfly_smtp_certificate_expiry/m)
    expect((await fetch(program.metricsUrl, { method: 'POST' })).status).toBe(405)
    for (const path of ['/', '/api/v1/domains', '/livez', '/metrics/x'])
      expect((await fetch(new URL(path, program.metricsUrl))).status).toBe(404)
  })

  test('does not time requests that wait for a message', async () => {
    const client = await createAddress(program.url)
    await sendMail(program.smtpPort, { to: client.address, subject: 'Hello', text: 'Hello' })
    for (const path of ['/api/v1/messages?wait=60', '/api/v1/messages'])
      expect(await client.json(path)).toMatchObject({ messages: [{ subject: 'Hello' }] })
    // Requests are counted after their responses.
    await vi.waitFor(async () => {
      const text = await (await fetch(program.metricsUrl)).text()
      const counts = ['requests_total', 'request_seconds_count'].map((name) =>
        Number(new RegExp(`^mayfly_http_${name}\\{.*route="/api/v1/messages".* (\\d+)$`, 'm').exec(text)?.[1]),
      )
      expect(counts).toEqual([2, 1])
    }, PATIENCE)
  })

  test('uses the configured port, and stops the start if it is taken', async () => {
    const port = await freePort()
    const other = await startProgram({ env: { MAYFLY_METRICS_PORT: String(port) } })
    try {
      expect(other.metricsUrl).toBe(`http://127.0.0.1:${port}/metrics`)
      await expect(startProgram({ env: { MAYFLY_METRICS_PORT: String(port) } })).rejects.toThrow(
        /MAYFLY_METRICS_PORT is .*EADDRINUSE/,
      )
    } finally {
      await other.stop()
    }
  })

  test('uses another port if the default is taken and none is configured', async () => {
    // Taken by this test or by another program of this machine.
    const blocker = createServer()
    await new Promise<void>((done) => {
      blocker.once('error', () => done()).listen(9464, '127.0.0.1', done)
    })
    const programs = await Promise.all([1, 2].map(() => startProgram({ env: { MAYFLY_METRICS_PORT: '' } })))
    try {
      const urls = programs.map(({ metricsUrl }) => metricsUrl)
      expect(new Set(urls).size).toBe(2)
      for (const url of urls) {
        expect(url).not.toContain(':9464/')
        expect((await fetch(url)).status).toBe(200)
      }
    } finally {
      await Promise.all(programs.map((each) => each.stop()))
      blocker.close()
    }
  })
})

test('the rules for HAProxy compare no path, except to ask another node for a file', async () => {
  const rules = await readFile(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')
  expect(rules.replaceAll(/^\s*(?:#|http-request disable-l7-retry ).*$/gm, '')).not.toMatch(/\bpath|\burl\b|metrics/)
})
