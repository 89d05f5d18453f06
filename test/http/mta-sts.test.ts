import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Program, startProgram } from '#test/support/program/program.ts'

const directory = mkdtempSync(join(tmpdir(), 'mayfly-mta-sts-'))
const [certFile, keyFile] = [join(directory, 'mx.crt'), join(directory, 'mx.key')]
let program: Program
beforeAll(async () => {
  const pair = await generate([{ name: 'commonName', value: 'mx.mayfly.example' }], { algorithm: 'sha256' })
  writeFileSync(certFile, pair.cert)
  writeFileSync(keyFile, pair.private)
  program = await startProgram({
    env: {
      MAYFLY_PUBLIC_URL: 'https://mayfly.example',
      MAYFLY_DOMAINS: 'mayfly.example,dayfly.example',
      MAYFLY_PREMIUM_DOMAINS: 'vip.mayfly.example',
      MAYFLY_SMTP_HOSTNAME: 'MX.mayfly.example',
      MAYFLY_SMTP_TLS_CERT_FILE: certFile,
      MAYFLY_SMTP_TLS_KEY_FILE: keyFile,
      MAYFLY_MTA_STS: 'enforce',
      MAYFLY_MTA_STS_MAX_AGE_DAYS: '2',
    },
  })
})
afterAll(async () => {
  await program.stop()
  rmSync(directory, { recursive: true })
})

const POLICY = 'version: STSv1\r\nmode: enforce\r\nmx: mx.mayfly.example\r\nmax_age: 172800\r\n'

/** `fetch` would set its own Host. */
const get = (host: string, headers: Record<string, string> = {}, path = '/.well-known/mta-sts.txt') =>
  new Promise<{ status: number | undefined; type: string | undefined; body: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: program.httpPort, path, headers: { host, ...headers } }
    request(options, async (response) => {
      resolve({ status: response.statusCode, type: response.headers['content-type'], body: await text(response) })
    })
      .once('error', reject)
      .end()
  })

test.each(['mta-sts.mayfly.example', 'mta-sts.dayfly.example', 'MTA-STS.vip.mayfly.example:443'])(
  'serves the policy at %s',
  async (host) =>
    expect(await get(host)).toEqual({ status: 200, type: expect.stringMatching(/^text\/plain/), body: POLICY }),
)

test('is also served through the proxy', async () => {
  const { status, body } = await get('127.0.0.1', { 'x-forwarded-host': 'mta-sts.mayfly.example' })
  expect([status, body]).toEqual([200, POLICY])
})

test.each(['mayfly.example', 'mta-sts.other.example', 'localhost'])('is not served at %s', async (host) => {
  const { status, body } = await get(host)
  expect(status).toBe(404)
  expect(body).not.toContain('STSv1')
})
