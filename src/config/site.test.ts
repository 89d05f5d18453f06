import { expect, test } from 'vitest'
import { loadConfig } from './load.ts'
import {
  checkStart,
  exposureWarning,
  forwardingTransport,
  ignoredWarnings,
  namesOfService,
  operatorWarning,
  ownSite,
  sandboxWarning,
  startWarnings,
  testsWarning,
} from './site.ts'

const PUBLIC = { MAYFLY_PUBLIC_URL: 'https://mayfly.example' }
const RELAY = { MAYFLY_OUTBOUND_URL: 'smtp://relay.example' }

test.each([
  ['a public site', PUBLIC, 'none'],
  ['a public site with files', { ...PUBLIC, MAYFLY_FORWARD_OUTBOX: 'on' }, 'outbox'],
  ['a public site with a relay', { ...PUBLIC, ...RELAY, MAYFLY_FORWARD_OUTBOX: 'off' }, 'relay'],
  ['a local site', {}, 'outbox'],
  ['a local site on IPv6', { MAYFLY_HOST: '::1' }, 'outbox'],
  ['a local site without files', { MAYFLY_FORWARD_OUTBOX: 'off' }, 'none'],
  ['a local site with a relay', { ...RELAY, MAYFLY_FORWARD_OUTBOX: 'on' }, 'relay'],
] as [string, Record<string, string>, string][])(
  'the forwarding transport of %s, with %j, is %s',
  (_what, env, transport) => expect(forwardingTransport(loadConfig(env))).toBe(transport),
)

test.each([
  [{}, undefined],
  [{ MAYFLY_HOST: '::1' }, undefined],
  [{ MAYFLY_HOST: 'localhost', MAYFLY_PUBLIC_URL: 'http://127.0.0.1:3000' }, undefined],
  [{ MAYFLY_HOST: '0.0.0.0', MAYFLY_PUBLIC_URL: 'https://mayfly.example' }, undefined],
  [{ MAYFLY_HOST: '0.0.0.0' }, /MAYFLY_HOST is 0\.0\.0\.0.* MAYFLY_PUBLIC_URL is not set/],
  [{ MAYFLY_HOST: '::' }, /MAYFLY_PUBLIC_URL is not set/],
  [{ MAYFLY_HOST: '192.168.0.9' }, /MAYFLY_PUBLIC_URL is not set/],
  [
    { MAYFLY_HOST: '0.0.0.0', MAYFLY_PUBLIC_URL: 'http://localhost:3000' },
    /MAYFLY_PUBLIC_URL is http:\/\/localhost:3000/,
  ],
] as [Record<string, string>, RegExp | undefined][])(
  'warns of a missing public URL if other machines can connect: %j',
  (env, warning) => {
    const found = exposureWarning(loadConfig(env))
    if (warning) expect(found).toMatch(warning)
    else expect(found).toBeUndefined()
  },
)

test.each([
  ['127.0.0.1', 'http://localhost'],
  ['::1', 'http://localhost'],
  ['0.0.0.0', 'http://localhost'],
  ['::', 'http://localhost'],
  ['10.0.0.11', 'http://10.0.0.11'],
  ['fd00::1', 'http://[fd00::1]'],
])('makes links for a site that listens on %s: %s', (host, url) => expect(ownSite({ server: { host } })).toBe(url))

const HTTPS = 'https://mayfly.example'
const CERTIFICATE = { MAYFLY_SMTP_TLS_CERT_FILE: 'mx.crt', MAYFLY_SMTP_TLS_KEY_FILE: 'mx.key' }
test.each([
  [{ MAYFLY_PAYMENT_SANDBOX: 'on', MAYFLY_PUBLIC_URL: HTTPS }, /MAYFLY_PAYMENT_SANDBOX .*on-public-site/],
  [{ MAYFLY_PAYMENT_SANDBOX: 'on-public-site', MAYFLY_PUBLIC_URL: HTTPS }, undefined],
  [{ MAYFLY_PAYMENT_SANDBOX: 'auto', MAYFLY_PUBLIC_URL: HTTPS }, undefined],
  [{ MAYFLY_PAYMENT_SANDBOX: 'off', MAYFLY_PUBLIC_URL: HTTPS }, undefined],
  [{ MAYFLY_PAYMENT_SANDBOX: 'on', MAYFLY_PUBLIC_URL: 'https://localhost' }, undefined],
  [{ MAYFLY_PAYMENT_SANDBOX: 'on', MAYFLY_PUBLIC_URL: 'http://192.168.0.9:3000' }, undefined],
  [{ MAYFLY_PAYMENT_SANDBOX: 'on' }, undefined],
] as [Record<string, string>, RegExp | undefined][])(
  'refuses to start a public https site that gives Premium away: %j',
  (env, problem) => {
    const start = () => checkStart(loadConfig(env))
    if (problem) expect(start).toThrow(problem)
    else expect(start).not.toThrow()
  },
)

test.each<[Record<string, string>, string | undefined]>([
  [{ HTTP_PORT: '3312', SMTP_PORT: '3312' }, 'HTTP_PORT and MAYFLY_SMTP_PORT'],
  [{ HTTP_PORT: '2525' }, 'HTTP_PORT and MAYFLY_SMTP_PORT'],
  [{ HTTP_PORT: '2525', SMTP_PORT: '0' }, undefined],
  [{ HTTP_PORT: '3312', METRICS_PORT: '3312' }, 'HTTP_PORT and MAYFLY_METRICS_PORT'],
  [{ SMTP_PORT: '3312', METRICS_PORT: '3312', HOST: '0.0.0.0' }, 'SMTP_PORT and MAYFLY_METRICS_PORT'],
  [{ SMTP_PORT: '3312', METRICS_PORT: '3312', METRICS_HOST: '::' }, 'SMTP_PORT and MAYFLY_METRICS_PORT'],
  [{ HTTP_PORT: '3312', METRICS_PORT: '3312', METRICS_HOST: '10.0.0.1' }, undefined],
  [{ HTTP_PORT: '9464' }, undefined],
  [{ HTTP_PORT: '0', SMTP_PORT: '0', METRICS_PORT: '0' }, undefined],
])('starts with different ports only, and other commands with equal ones: %j', (ports, names) => {
  const config = loadConfig(Object.fromEntries(Object.entries(ports).map(([key, port]) => [`MAYFLY_${key}`, port])))
  if (names === undefined) expect(() => checkStart(config)).not.toThrow()
  else expect(() => checkStart(config)).toThrow(`MAYFLY_${names} are both`)
})

test.each([
  [{ MAYFLY_MTA_STS: 'enforce', MAYFLY_PUBLIC_URL: HTTPS }, /^MAYFLY_MTA_STS .*MAYFLY_SMTP_TLS_CERT_FILE is not set/],
  [
    { ...CERTIFICATE, MAYFLY_MTA_STS: 'enforce', MAYFLY_SMTP_STARTTLS: 'off', MAYFLY_PUBLIC_URL: HTTPS },
    /^MAYFLY_MTA_STS .*MAYFLY_SMTP_STARTTLS is "off"/,
  ],
  [{ ...CERTIFICATE, MAYFLY_MTA_STS: 'enforce', MAYFLY_PUBLIC_URL: HTTPS }, undefined],
  [{ MAYFLY_MTA_STS: 'testing', MAYFLY_SMTP_STARTTLS: 'off', MAYFLY_PUBLIC_URL: HTTPS }, undefined],
  [{ MAYFLY_MTA_STS: 'enforce', MAYFLY_PUBLIC_URL: 'https://localhost' }, undefined],
  [{ MAYFLY_MTA_STS: 'enforce', MAYFLY_PUBLIC_URL: 'http://mayfly.example' }, undefined],
  [{ MAYFLY_MTA_STS: 'enforce' }, undefined],
] as [Record<string, string>, RegExp | undefined][])(
  'warns of a policy under which mail cannot arrive, and starts: %j',
  (env, warning) => {
    const config = loadConfig(env)
    expect(() => checkStart(config)).not.toThrow()
    const found = startWarnings(config).filter((each) => each.includes('MAYFLY_MTA_STS'))
    expect(found).toEqual(warning ? [expect.stringMatching(warning)] : [])
  },
)

test.each([
  [{}, undefined],
  [{ MAYFLY_PAYMENT_SANDBOX: 'on' }, undefined],
  [{ MAYFLY_PAYMENT_SANDBOX: 'auto', MAYFLY_PUBLIC_URL: 'http://shop.example' }, undefined],
  [{ MAYFLY_PAYMENT_SANDBOX: 'on', MAYFLY_PUBLIC_URL: 'http://shop.example' }, /"on": every visitor of http:\/\/shop/],
  [{ MAYFLY_PAYMENT_SANDBOX: 'on', MAYFLY_HOST: '0.0.0.0' }, /every visitor/],
  [{ MAYFLY_PAYMENT_SANDBOX: 'on-public-site', MAYFLY_PUBLIC_URL: HTTPS }, /"on-public-site": every visitor/],
] as [Record<string, string>, RegExp | undefined][])(
  'warns of a sandbox that strangers can use: %j',
  (env, warning) => {
    const found = sandboxWarning(loadConfig(env))
    if (warning) expect(found).toMatch(warning)
    else expect(found).toBeUndefined()
  },
)

test.each([
  [{ MAYFLY_SMTP_AUTH: 'on', MAYFLY_SMTP_STARTTLS: 'off' }, undefined],
  [{ MAYFLY_SMTP_AUTH: 'on', MAYFLY_PUBLIC_URL: 'https://localhost' }, undefined],
  [{ MAYFLY_SMTP_AUTH: 'on', MAYFLY_PUBLIC_URL: 'http://mail.internal:3000' }, undefined],
  [{ MAYFLY_SMTP_AUTH: 'auto', MAYFLY_SMTP_STARTTLS: 'on', MAYFLY_PUBLIC_URL: HTTPS }, undefined],
  [{ MAYFLY_SMTP_AUTH: 'on', MAYFLY_PUBLIC_URL: HTTPS }, /^MAYFLY_SMTP_AUTH is "on".*mayfly\.example is public/],
  [{ MAYFLY_SMTP_STARTTLS: 'off', MAYFLY_PUBLIC_URL: HTTPS }, /^MAYFLY_SMTP_STARTTLS is "off"/],
  [
    { MAYFLY_SMTP_AUTH: 'on', MAYFLY_SMTP_STARTTLS: 'off', MAYFLY_PUBLIC_URL: HTTPS },
    /STARTTLS is "off".*AUTH is "on"/,
  ],
] as [Record<string, string>, RegExp | undefined][])(
  'warns of the settings of a service for tests on a public https site: %j',
  (env, warning) => {
    const found = testsWarning(loadConfig(env))
    if (warning) expect(found).toMatch(warning)
    else expect(found).toBeUndefined()
  },
)

const OPERATOR = { MAYFLY_OPERATOR_NAME: 'A', MAYFLY_OPERATOR_ADDRESS: 'B', MAYFLY_OPERATOR_EMAIL: 'c@d.example' }
test.each([
  [{}, undefined],
  [{ MAYFLY_PUBLIC_URL: 'http://localhost:3000' }, undefined],
  [
    { MAYFLY_PUBLIC_URL: HTTPS },
    /^MAYFLY_OPERATOR_NAME, MAYFLY_OPERATOR_ADDRESS, MAYFLY_OPERATOR_EMAIL not set: https/,
  ],
  [{ ...OPERATOR, MAYFLY_PUBLIC_URL: HTTPS }, undefined],
  [{ ...OPERATOR, MAYFLY_OPERATOR_ADDRESS: '', MAYFLY_PUBLIC_URL: HTTPS }, /^MAYFLY_OPERATOR_ADDRESS not set/],
] as [Record<string, string>, RegExp | undefined][])(
  'warns of a public site without an operator: %j',
  (env, warning) => {
    const found = operatorWarning(loadConfig(env))
    if (warning) expect(found).toMatch(warning)
    else expect(found).toBeUndefined()
  },
)

test.each([
  [{}, []],
  [{ MAYFLY_OUTBOX_DAYS: '30' }, [/^MAYFLY_OUTBOX_DAYS ignored: .*Remove it/]],
  [
    { MAYFLY_WEBHOOK_CALLS_PER_SECOND: '9', MAYFLY_FORWARD_BOUNCE_DAYS: '1' },
    [
      /^MAYFLY_FORWARD_BOUNCE_DAYS ignored: .*Remove it/,
      /^MAYFLY_WEBHOOK_CALLS_PER_SECOND ignored: .*MAYFLY_PAYMENT_EVENTS_PER_SECOND/,
    ],
  ],
  [{ MAYFLY_WEBHOOK_MAX_BYTES: '1MB' }, [/^MAYFLY_WEBHOOK_MAX_BYTES ignored: .*MAYFLY_PAYMENT_EVENT_MAX_BYTES/]],
] as [Record<string, string>, RegExp[]][])('warns of settings that no longer exist: %j', (env, warnings) =>
  expect(ignoredWarnings(loadConfig(env))).toEqual(warnings.map((each) => expect.stringMatching(each))),
)

test('names the domain of the sender of our emails in its ASCII form', () => {
  for (const from of ['noreply@Bücher.example', 'noreply@xn--bcher-kva.example'])
    expect(namesOfService(loadConfig({ MAYFLY_OUTBOUND_FROM: from }))).toContain('xn--bcher-kva.example')
})
