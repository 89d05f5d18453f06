import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { checkSettings } from './check-settings.ts'

const directory = mkdtempSync(join(tmpdir(), 'mayfly-check-'))
const inside = (name: string): string => join(directory, name)
beforeAll(async () => {
  const [pair, other] = await Promise.all(
    [1, 2].map(() => generate([{ name: 'commonName', value: 'mx.example' }], { algorithm: 'sha256' })),
  )
  writeFileSync(inside('cert.pem'), pair!.cert)
  writeFileSync(inside('key.pem'), pair!.private)
  writeFileSync(inside('other.pem'), other!.private)
  writeFileSync(inside('ad.html'), '<p>Ad</p>')
  writeFileSync(inside('service.key'), 'ab'.repeat(32), { mode: 0o600 })
  mkdirSync(inside('used'))
  writeFileSync(inside('used/mayfly.db'), '')
})
afterAll(() => rmSync(directory, { recursive: true }))

const check = async (env: Record<string, string> = {}) =>
  checkSettings(loadConfig({ MAYFLY_DATA_DIR: inside('none'), ...env }))

test('creates and changes nothing', async () => {
  const before = readdirSync(directory)
  expect(await check()).toEqual([])
  const files = {
    MAYFLY_SMTP_TLS_CERT_FILE: inside('cert.pem'),
    MAYFLY_SMTP_TLS_KEY_FILE: inside('key.pem'),
    MAYFLY_AD_TOP_FILE: inside('ad.html'),
    MAYFLY_SECRET_KEY_FILE: inside('service.key'),
    MAYFLY_DATABASE_URL: `postgres://nobody@127.0.0.1:9/nothing?sslmode=verify-full&sslrootcert=${inside('cert.pem')}`,
  }
  expect(await check(files)).toEqual([])
  expect(readdirSync(directory)).toEqual(before)
})

test('returns the warnings of a start', async () => {
  const warnings = await check({
    MAYFLY_PUBLIC_URL: 'https://mayfly.example',
    MAYFLY_OUTBOX_DAYS: '3',
    MAYFLY_SMTP_AUTH: 'on',
  })
  expect(warnings).toEqual([
    expect.stringContaining('MAYFLY_OUTBOX_DAYS ignored'),
    expect.stringContaining('MAYFLY_SMTP_AUTH is "on"'),
    expect.stringContaining('does not say who runs it'),
  ])
})

const pair = (cert: string, key: string) => ({
  MAYFLY_SMTP_TLS_CERT_FILE: inside(cert),
  MAYFLY_SMTP_TLS_KEY_FILE: inside(key),
})
test.each<[what: string, env: () => Record<string, string>, says: RegExp]>([
  ['a certificate that does not exist', () => pair('nowhere.pem', 'key.pem'), /SMTP_TLS_CERT_FILE .*does not exist/],
  ['a key of another certificate', () => pair('cert.pem', 'other.pem'), /SMTP_TLS_KEY_FILE .*cannot be used/],
  ['an advertisement that does not exist', () => ({ MAYFLY_AD_TOP_FILE: inside('no') }), /AD_TOP_FILE .*not exist/],
  ['a service key that is none', () => ({ MAYFLY_SECRET_KEY_FILE: inside('ad.html') }), /SECRET_KEY_FILE .*64 hex/],
  [
    'a service key in a directory that does not exist',
    () => ({ MAYFLY_SECRET_KEY_FILE: inside('no/x') }),
    /SECRET_KEY_FILE .*does not exist/,
  ],
  [
    'a service key below a file',
    () => ({ MAYFLY_SECRET_KEY_FILE: inside('ad.html/x') }),
    /SECRET_KEY_FILE .*not a directory/,
  ],
  ['a data directory that is a file', () => ({ MAYFLY_DATA_DIR: inside('ad.html') }), /DATA_DIR .*not a directory/],
  ['a data directory below a file', () => ({ MAYFLY_DATA_DIR: inside('ad.html/x') }), /DATA_DIR .*not a directory/],
  ...['sslrootcert', 'sslcert', 'sslkey'].map((name): [string, () => Record<string, string>, RegExp] => [
    `a missing ${name} of the database`,
    () => ({ MAYFLY_DATABASE_URL: `postgres://u:topsecret@h/d?sslmode=verify-full&${name}=${inside('none.pem')}` }),
    /^MAYFLY_DATABASE_URL (?!.*topsecret).*none\.pem/,
  ]),
  [
    'a database that checks certificates of no authority',
    () => ({ MAYFLY_DATABASE_URL: 'postgres://u:topsecret@h/d?sslmode=verify-ca' }),
    /^MAYFLY_DATABASE_URL (?!.*topsecret).*sslrootcert/,
  ],
  ['a missing key beside a database', () => ({ MAYFLY_DATA_DIR: inside('used') }), /secret\.key is missing/],
  [
    'equal ports',
    () => ({ MAYFLY_HTTP_PORT: '2525', MAYFLY_SMTP_PORT: '2525' }),
    /MAYFLY_HTTP_PORT and MAYFLY_SMTP_PORT are both 2525/,
  ],
  [
    'a sandbox on a public site',
    () => ({ MAYFLY_PAYMENT_SANDBOX: 'on', MAYFLY_PUBLIC_URL: 'https://mayfly.example' }),
    /MAYFLY_PAYMENT_SANDBOX/,
  ],
])('rejects for %s, as the start does', async (_what, env, says) => {
  await expect(check(env())).rejects.toThrow(says)
})
