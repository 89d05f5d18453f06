import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oneLine } from '#cli/run.ts'
import { loadConfig } from '#config/load.ts'
import { openServices } from '#test/support/fixtures/services.ts'
import type { WebBuild } from './build.ts'
import { startServers } from './servers.ts'

// One case of each kind also runs the whole program, in test/cli/start-errors.test.ts.

const directory = mkdtempSync(join(tmpdir(), 'mayfly-server-errors-'))
const inside = (name: string): string => join(directory, name)
/** No page is requested. */
const BUILD: WebBuild = {
  buildId: 'test',
  render: () => Promise.reject(new Error('Nothing is rendered')),
  offerTexts: {} as WebBuild['offerTexts'],
  manifestTexts: {} as WebBuild['manifestTexts'],
  translations: {} as WebBuild['translations'],
  clientDirectory: undefined,
}
let services: Awaited<ReturnType<typeof openServices>>
let busy: Server

beforeAll(async () => {
  services = await openServices()
  busy = createServer()
  busy.listen(0, '127.0.0.1')
  await once(busy, 'listening')
  const [pair, other] = await Promise.all(
    ['one', 'two'].map((name) => generate([{ name: 'commonName', value: name }], { algorithm: 'sha256' })),
  )
  writeFileSync(inside('cert.pem'), pair!.cert)
  writeFileSync(inside('key.pem'), pair!.private)
  writeFileSync(inside('other-key.pem'), other!.private)
  writeFileSync(inside('nonsense.pem'), 'nonsense')
  mkdirSync(inside('directory'))
})
afterAll(async () => {
  await services.close()
  busy.close()
  rmSync(directory, { recursive: true })
})

const busyPort = (protocol: string) => () => ({
  [`MAYFLY_${protocol}_PORT`]: String((busy.address() as AddressInfo).port),
})
const certificate = (cert: string, key: string) => () => ({
  MAYFLY_SMTP_TLS_CERT_FILE: inside(cert),
  MAYFLY_SMTP_TLS_KEY_FILE: inside(key),
})

test.each<[what: string, env: () => Record<string, string>, names: string, says: RegExp]>([
  ['an unknown host', () => ({ MAYFLY_HOST: 'nosuch.invalid' }), 'MAYFLY_HOST', /nosuch\.invalid/],
  ['an address of another machine', () => ({ MAYFLY_HOST: '203.0.113.1' }), 'MAYFLY_HOST', /203\.0\.113\.1/],
  ['an IPv6 address of another machine', () => ({ MAYFLY_HOST: '2001:db8::1' }), 'MAYFLY_HOST', /2001:db8::1/],
  ['a busy HTTP port', busyPort('HTTP'), 'MAYFLY_HTTP_PORT', /taken.*in use/],
  ['a busy SMTP port', busyPort('SMTP'), 'MAYFLY_SMTP_PORT', /taken.*in use/],
  ['a busy metrics port', busyPort('METRICS'), 'MAYFLY_METRICS_PORT', /taken.*in use/],
  [
    'a missing certificate',
    certificate('none.pem', 'key.pem'),
    'MAYFLY_SMTP_TLS_CERT_FILE',
    /none\.pem", which does not exist \(/,
  ],
  [
    'a missing key',
    certificate('cert.pem', 'none.pem'),
    'MAYFLY_SMTP_TLS_KEY_FILE',
    /none\.pem", which does not exist \(/,
  ],
  ['a bad certificate', certificate('nonsense.pem', 'key.pem'), 'MAYFLY_SMTP_TLS_CERT_FILE', /nonsense\.pem/],
  ['a bad key', certificate('cert.pem', 'nonsense.pem'), 'MAYFLY_SMTP_TLS_KEY_FILE', /nonsense\.pem/],
  [
    'the key of another certificate',
    certificate('cert.pem', 'other-key.pem'),
    'MAYFLY_SMTP_TLS_KEY_FILE',
    /other-key\.pem/,
  ],
  [
    'a certificate that is a directory',
    certificate('directory', 'key.pem'),
    'MAYFLY_SMTP_TLS_CERT_FILE',
    /directory.*is a directory/,
  ],
  [
    'a missing top advertisement',
    () => ({ MAYFLY_AD_TOP_FILE: '/none' }),
    'MAYFLY_AD_TOP_FILE',
    /none", which does not exist \(/,
  ],
  ['a missing bottom advertisement', () => ({ MAYFLY_AD_BOTTOM_FILE: '/none' }), 'MAYFLY_AD_BOTTOM_FILE', /none/],
])('%s is reported in one line that names the setting', async (_what, env, names, says) => {
  const ports = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_METRICS_PORT: '0' }
  const config = loadConfig({ MAYFLY_DATA_DIR: directory, ...ports, ...env() })
  const line = await startServers(config, services, BUILD).then(() => 'started', oneLine)
  expect(line).toContain(names)
  expect(line).toMatch(says)
  expect(line).not.toContain('\n')
})
