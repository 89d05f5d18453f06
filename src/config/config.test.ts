import { describe, expect, test } from 'vitest'
import { ConfigError, limits, loadConfig, settings } from './load.ts'
import { settingsMarkdown, settingsText } from './print.ts'
import { RETIRED } from './table.ts'

const former = Object.keys(RETIRED)

const problemOf = (env: Record<string, string>): string => {
  try {
    loadConfig(env)
    return 'none'
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

describe('loadConfig without settings', () => {
  test('returns defaults that work on one machine', () => {
    expect(loadConfig({})).toMatchObject({
      server: {
        host: '127.0.0.1',
        httpPort: 3000,
        smtpPort: 2525,
        domains: ['mayfly.test', 'dayfly.test'],
        premiumDomains: ['vip.mayfly.test'],
        publicUrl: undefined,
        dnsServers: [],
        drainTime: 0,
        shutdownGrace: 10_000,
      },
      storage: { directory: './data' },
      mailbox: {
        maxMessageBytes: 10_485_760,
        storageBytes: 41_943_040,
        addressLifetime: 24 * 3_600_000,
        quarantine: 30 * 24 * 3_600_000,
      },
      http: { requestsPerSecond: 8 },
      smtp: { proxies: [] },
    })
  })

  test('returns frozen groups and lists', () => {
    const config = loadConfig({ MAYFLY_DNS_SERVERS: '127.0.0.1:53' })
    expect(
      Object.isFrozen(config) && Object.isFrozen(config.server.domains) && Object.isFrozen(config.server.dnsServers),
    ).toBe(true)
  })

  test('ignores variables of other programs and treats an empty variable as unset', () => {
    expect(loadConfig({ PATH: '/bin', MAYFLY_HTTP_PORT: ' ' }).server.httpPort).toBe(3000)
  })
})

describe('a bad value', () => {
  test.each([
    [{ MAYFLY_HTTP_PORT: '65536' }, 'MAYFLY_HTTP_PORT is "65536"; expected a whole number from 0 to 65535'],
    [{ MAYFLY_HTTP_PORT: '-1' }, /MAYFLY_HTTP_PORT/],
    [{ MAYFLY_HTTP_PORT: '3e3' }, /MAYFLY_HTTP_PORT/],
    [{ MAYFLY_HTTP_PROT: '3000' }, 'MAYFLY_HTTP_PROT is not a setting of Mayfly; did you mean MAYFLY_HTTP_PORT?'],
    [{ MAYFLY_NONSENSE_ALTOGETHER: '1' }, 'MAYFLY_NONSENSE_ALTOGETHER is not a setting of Mayfly'],
    [{ MAYFLY_DOMAINS: 'no_domain' }, /MAYFLY_DOMAINS/],
    [
      { MAYFLY_DOMAINS: 'a.example,b.example,A.example' },
      'MAYFLY_DOMAINS is "a.example,b.example,A.example"; expected one or more domain names, separated by commas, each of them once: a.example is there twice',
    ],
    ...['0', '1.5', '192.0.2.1', 'b.example,0x7f.1'].map((domains) => [{ MAYFLY_DOMAINS: domains }, /MAYFLY_DOMAINS/]),
    [{ MAYFLY_FORWARD_DOMAIN: '10.1' }, /MAYFLY_FORWARD_DOMAIN/],
    [{ MAYFLY_DOMAINS: '-a.example' }, /MAYFLY_DOMAINS/],
    [{ MAYFLY_DOMAINS: ',' }, /MAYFLY_DOMAINS/],
    [
      { MAYFLY_COMPAT: 'mailtm' },
      'MAYFLY_COMPAT is "mailtm"; expected one or more of mail.tm, mailpit, separated by commas',
    ],
    [{ MAYFLY_COMPAT: ',' }, /MAYFLY_COMPAT/],
    [{ MAYFLY_PREMIUM_DOMAINS: 'mayfly.test' }, /MAYFLY_PREMIUM_DOMAINS has mayfly.test/],
    ...['ZZZ', 'XTS', 'XAU', 'XDR', 'HRK', 'DEM', 'usd', 'US', 'EURO'].map((currency) => [
      { MAYFLY_PREMIUM_CURRENCY: currency },
      `MAYFLY_PREMIUM_CURRENCY is "${currency}"; expected a currency code (ISO 4217), such as USD`,
    ]),
    ...(
      [
        ['ISK', 'MONTH', '349050', 100],
        ['UGX', 'YEAR', '3490099', 100],
        ['KWD', 'CRYPTO_YEAR', '26123', 10],
      ] as const
    ).map(([currency, plan, price, step]) => [
      { MAYFLY_PREMIUM_CURRENCY: currency, [`MAYFLY_PREMIUM_${plan}_CENTS`]: price },
      `MAYFLY_PREMIUM_${plan}_CENTS is ${price}; expected a multiple of ${step}, because no smaller part of ${currency} can be charged`,
    ]),
    [{ MAYFLY_PUBLIC_URL: 'mayfly.example' }, /MAYFLY_PUBLIC_URL/],
    [{ MAYFLY_PUBLIC_URL: 'https://a.example/path' }, /MAYFLY_PUBLIC_URL/],
    [{ MAYFLY_LOG_LEVEL: 'loud' }, /one of debug, info, warn, error/],
    [{ MAYFLY_MESSAGE_MAX_BYTES: '10 apples' }, /MAYFLY_MESSAGE_MAX_BYTES/],
    [
      { MAYFLY_ADDRESS_STORAGE_BYTES: '5MB' },
      'MAYFLY_MESSAGE_MAX_BYTES is 10485760; expected at most 5242880 bytes, because MAYFLY_ADDRESS_STORAGE_BYTES is 5242880',
    ],
    [
      { MAYFLY_PREMIUM_STORAGE_BYTES: '25599KB' },
      'MAYFLY_PREMIUM_MESSAGE_MAX_BYTES is 26214400; expected at most 26213376 bytes, because MAYFLY_PREMIUM_STORAGE_BYTES is 26213376',
    ],
    ...['192.0.2.7', '::1', '-1', 'a..b', '..', 'mail.example.7'].map((name) => [
      { MAYFLY_SMTP_HOSTNAME: name },
      `MAYFLY_SMTP_HOSTNAME is "${name}"; expected a host name`,
    ]),
    [
      { MAYFLY_MESSAGE_MAX_BYTES: '200MB', MAYFLY_ADDRESS_STORAGE_BYTES: '1GB' },
      'MAYFLY_MAIL_MEMORY_BYTES is 100663296; expected at least 421527552 bytes, because MAYFLY_MESSAGE_MAX_BYTES is 209715200',
    ],
    [
      { MAYFLY_MAIL_MEMORY_BYTES: '32MB' },
      'MAYFLY_MAIL_MEMORY_BYTES is 33554432; expected at least 54525952 bytes, because MAYFLY_PREMIUM_MESSAGE_MAX_BYTES is 26214400',
    ],
    [{ MAYFLY_SMTP_TLS_CERT_FILE: 'a.pem' }, /must be set together/],
    [{ MAYFLY_DNS_SERVERS: 'example.com' }, /MAYFLY_DNS_SERVERS/],
    [{ MAYFLY_SMTP_PROXIES: '10.0.0.0/33' }, /MAYFLY_SMTP_PROXIES/],
    [{ MAYFLY_SPF: 'v=spf1 include:relay.example -all' }, /MAYFLY_SPF/],
    [{ MAYFLY_SPF: 'include:relay.example "' }, /MAYFLY_SPF/],
    [{ MAYFLY_BLOCKLISTS: 'https://list.example' }, /MAYFLY_BLOCKLISTS/],
    [{ MAYFLY_TRUSTED_PROXIES: '0.0.0.0/0' }, /MAYFLY_TRUSTED_PROXIES/],
    ...['999.1.1.1', '1.2.3', '1', '0x7f.1', 'a..b', 'a b', '[::1]', 'fe80::1%eth0', '::g', 'mail.example.7'].map(
      (host) => [{ MAYFLY_HOST: host }, `MAYFLY_HOST is "${host}"; expected a host name or an IP address`],
    ),
    ...['999.1.1.1', '127.0.0.1:0', '127.0.0.1:65536', '::1', '[::g]:53', '127.0.0.1,x'].map((server) => [
      { MAYFLY_DNS_SERVERS: server },
      /MAYFLY_DNS_SERVERS/,
    ]),
  ] as [Record<string, string>, string | RegExp][])('%j is reported in one line with its name', (env, line) => {
    const message = problemOf(env)
    expect(message).not.toContain('\n')
    if (typeof line === 'string') expect(message).toBe(line)
    else expect(message).toMatch(line)
  })

  test.each([
    ['SECRET_KEY', 'topsecret', '64 hexadecimal digits'],
    ['DATABASE_URL', 'mysql://u:topsecret@h/d', 'postgres://user:password@host:5432/database'],
    ['DATABASE_URL', 'postgres://u:topsecret@h', 'postgres://user:password@host:5432/database'],
    ['DATABASE_URL', 'postgres://u:topsecret%@h/d', /^postgres:.* with % in name and password written as %25$/],
    [
      'DATABASE_URL',
      'postgres://u:topsecret@h/d?sslmode=foo',
      /^postgres:.* with sslmode disable, prefer, .*verify-full$/,
    ],
    ...['allow', 'no-verify'].map((mode): [string, string, RegExp] => [
      'DATABASE_URL',
      `postgres://u:topsecret@h/d?sslmode=${mode}`,
      /^postgres:.* with sslmode disable, prefer, require, verify-ca or verify-full$/,
    ]),
    ['OUTBOUND_URL', 'http://u:topsecret@h', 'smtp://user:password@host:587 or smtps://user:password@host'],
    ['OUTBOUND_URL', 'smtp://u:topsecret%@h', /^smtp:.* with % in name and password written as %25$/],
    ['STRIPE_SECRET_KEY', 'top secret', 'a key without spaces'],
    ['STRIPE_WEBHOOK_SECRET', 'top secret', 'a key without spaces'],
    ['BTCPAY_API_KEY', 'top secret', 'a key without spaces'],
    ['BTCPAY_WEBHOOK_SECRET', 'top secret', 'a key without spaces'],
  ])('a bad %s is not printed: %s', (key, value, expected) => {
    const line = problemOf({ [`MAYFLY_${key}`]: value })
    const [found, expectation] = line.split('; expected ')
    expect(found).toBe(`MAYFLY_${key} is not valid`)
    expect(expectation).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
    expect(line).not.toContain(value)
    expect(line).not.toContain('topsecret')
  })

  test.each(
    [...settings, ...limits].flatMap(({ key, kind }) => {
      const bounds = /^(?:a whole number|bytes) from (\d+)(?: to (\d+))?/.exec(kind.expects)
      return bounds ? [{ key, min: Number(bounds[1]), max: Number(bounds[2] ?? Number.MAX_SAFE_INTEGER) }] : []
    }),
  )('$key is accepted from $min to $max only', ({ key, min, max }) => {
    const name = `MAYFLY_${key}`
    // The memory and the storage must hold the largest message.
    const others: Record<string, string> = { MAYFLY_MAIL_MEMORY_BYTES: '4GB' }
    if (key === 'MAIL_MEMORY_BYTES') others.MAYFLY_PREMIUM_MESSAGE_MAX_BYTES = '15MB'
    if (key === 'ADDRESS_STORAGE_BYTES') others.MAYFLY_MESSAGE_MAX_BYTES = '1024'
    if (key === 'PREMIUM_STORAGE_BYTES') others.MAYFLY_PREMIUM_MESSAGE_MAX_BYTES = '1024'
    if (key === 'MESSAGE_MAX_BYTES') others.MAYFLY_ADDRESS_STORAGE_BYTES = '1GB'
    const problemWith = (value: number): string => problemOf({ ...others, [name]: String(value) })
    expect(problemWith(min)).toBe('none')
    expect(problemWith(max)).toBe('none')
    expect(problemWith(min - 1)).toContain(name)
    if (max < Number.MAX_SAFE_INTEGER) expect(problemWith(max + 1)).toContain(name)
  })
})

test.each(['MESSAGE_MAX_BYTES', 'PREMIUM_MESSAGE_MAX_BYTES'])('the memory must hold a message of %s', (key) => {
  const size = 40 * 1024 * 1024
  const memory = 2 * (size + 1024 * 1024)
  const problemWith = (bytes: number): string =>
    problemOf({ [`MAYFLY_${key}`]: String(size), MAYFLY_MAIL_MEMORY_BYTES: String(bytes) })
  expect(problemWith(memory)).toBe('none')
  expect(problemWith(memory - 1)).toMatch(
    new RegExp(`^MAYFLY_MAIL_MEMORY_BYTES is ${memory - 1}; expected at least ${memory} bytes, .* MAYFLY_${key} `),
  )
})

test('normalizes sizes, domains and URLs', () => {
  expect(
    loadConfig({
      MAYFLY_MESSAGE_MAX_BYTES: '2 mb',
      MAYFLY_SMTP_HOSTNAME: 'mx.example.com.',
      MAYFLY_DOMAINS: ' Bücher.example , b.example.',
      MAYFLY_PUBLIC_URL: 'https://A.example/',
      MAYFLY_SPF: 'include:_spf.relay.example  ip4:192.0.2.0/24 ~mx ip6:2001:db8::/32',
    }),
  ).toMatchObject({
    mailbox: { maxMessageBytes: 2_097_152 },
    smtp: { hostname: 'mx.example.com' },
    server: { domains: ['xn--bcher-kva.example', 'b.example'], publicUrl: 'https://a.example' },
    operating: { spf: 'include:_spf.relay.example  ip4:192.0.2.0/24 ~mx ip6:2001:db8::/32' },
  })
})

test.each([
  [{}, ['vip.mayfly.test']],
  [{ MAYFLY_DOMAINS: ' ', MAYFLY_PREMIUM_DOMAINS: '' }, ['vip.mayfly.test']],
  [{ MAYFLY_DOMAINS: 'a.example' }, []],
  [{ MAYFLY_DOMAINS: 'a.example', MAYFLY_PREMIUM_DOMAINS: ' ' }, []],
  [{ MAYFLY_DOMAINS: 'a.example', MAYFLY_PREMIUM_DOMAINS: 'vip.a.example' }, ['vip.a.example']],
  [{ MAYFLY_PREMIUM_DOMAINS: 'vip.a.example' }, ['vip.a.example']],
])('has no premium domain by default if the free domains are set: %j', (env, premiumDomains) =>
  expect(loadConfig(env).server.premiumDomains).toEqual(premiumDomains),
)

test.each(['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost', 'mail.example', 'node_1', '7.mail.example'])(
  'accepts %s as MAYFLY_HOST',
  (host) => expect(loadConfig({ MAYFLY_HOST: host }).server.host).toBe(host),
)

test.each(['USD', 'EUR', 'JPY', 'KWD', 'HUF', 'ISK', 'UGX', 'XCG'])(
  'accepts %s as MAYFLY_PREMIUM_CURRENCY',
  (currency) => expect(loadConfig({ MAYFLY_PREMIUM_CURRENCY: currency }).premium.currency).toBe(currency),
)

test.each(['127.0.0.1', '127.0.0.1:53', '[::1]:5353', '[::1]'])('accepts %s in MAYFLY_DNS_SERVERS', (server) =>
  expect(loadConfig({ MAYFLY_DNS_SERVERS: server }).server.dnsServers).toEqual([server]),
)

describe('the tables', () => {
  const inText = (table: 'essential' | 'settings' | 'limits'): string[] =>
    [...settingsText(table).matchAll(/^ {2}MAYFLY_(\w+) /gm)].map(([, key = '']) => key)
  const inMarkdown = (table: 'essential' | 'settings' | 'limits'): string[] =>
    [...settingsMarkdown(table).matchAll(/^\| `MAYFLY_(\w+)`/gm)].map(([, key = '']) => key)

  test.each([
    ['settings', settings],
    ['limits', limits],
    ['essential', settings.filter(({ essential }) => essential)],
  ] as const)('of %s have these alone', (table, entries) => {
    const keys = entries.map(({ key }) => key)
    expect(inText(table)).toEqual(keys)
    expect(inMarkdown(table)).toEqual(keys)
  })

  test('name nothing twice', () => {
    const keys = [...settings, ...limits].map(({ key }) => key)
    expect(new Set([...keys, ...former]).size).toBe(keys.length + former.length)
  })

  test('have at most 85 settings, of which a public site needs 15', () => {
    expect(settings.length).toBeLessThanOrEqual(85)
    expect(settings.filter(({ essential }) => essential)).toHaveLength(15)
  })

  test('have no limit that a public site needs', () =>
    expect(limits.filter(({ essential, secret }) => essential || secret)).toEqual([]))
})

test('reads limits from the environment', () =>
  expect(loadConfig({ MAYFLY_SWEEP_SECONDS: '7' }).storage.sweepInterval).toBe(7000))

test.each(former)('ignores %s, which was a setting, whatever its value is', (key) => {
  expect(loadConfig({ [`MAYFLY_${key}`]: 'x' })).toEqual({ ...loadConfig({}), ignored: [key] })
  expect(loadConfig({ [`MAYFLY_${key}`]: ' ' }).ignored).toEqual([])
})
