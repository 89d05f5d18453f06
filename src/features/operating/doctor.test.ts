import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import type { Zone } from '#test/support/dns/dns-server.ts'
import { DOMAIN, MAIL_HOST, outsideOfFile, troubles } from '#test/support/dns/outside.ts'

const outside = outsideOfFile()

const domain = (env: Record<string, string> = {}) => outside().service(env).doctor.domain(DOMAIN)

test('reports ok for every check of a correct set-up', async () => {
  const { doctor } = outside().service()
  const [service, records] = await Promise.all([doctor.service(), doctor.domain(DOMAIN)])
  expect(troubles([...service, ...records])).toEqual([])
  expect(service.map(({ about, check }) => `${about} ${check}`)).toEqual([
    `${MAIL_HOST} A/AAAA`,
    '127.0.0.1 PTR',
    '127.0.0.1 Port 25',
    '127.0.0.1 Certificate',
    '127.0.0.1 list.example',
    '127.0.0.1 Relay',
    `${DOMAIN} Site`,
    '127.0.0.1 HTTP port',
  ])
  expect(records.map(({ check }) => check)).toEqual(['MX', 'DKIM', 'DMARC', 'MTA-STS', 'TLS-RPT', 'SPF'])
  expect(records.every(({ about }) => about === DOMAIN)).toBe(true)
})

const dkim = `mayfly._domainkey.${DOMAIN} TXT`
const dmarc = `_dmarc.${DOMAIN} TXT`
const RECORDS: [what: string, zone: Zone, trouble: string, found: RegExp][] = [
  ['no MX', { [`${DOMAIN} MX`]: [] }, 'fail MX', /no record/],
  ['an MX elsewhere', { [`${DOMAIN} MX`]: ['10 mx.other.example'] }, 'fail MX', /goes to mx\.other\.example/],
  ['one MX more', { [`${DOMAIN} MX`]: [`10 ${MAIL_HOST}`, '20 mx.other.example'] }, 'warn MX', /also goes/],
  ['a failing look-up of MX', { [`${DOMAIN} MX`]: 'servfail' }, 'fail MX', /ESERVFAIL/],
  ['no DKIM', { [dkim]: [] }, 'fail DKIM', /no record/],
  ['a foreign DKIM key', { [dkim]: ['v=DKIM1; k=rsa; p=AAAA'] }, 'fail DKIM', /not the key/],
  ['a revoked DKIM key', { [dkim]: ['v=DKIM1; p='] }, 'fail DKIM', /not the key/],
  ['no DMARC', { [dmarc]: ['something else'] }, 'fail DMARC', /no record/],
  ['a weak DMARC', { [dmarc]: ['v=DMARC1; p=none; rua=mailto:a@b.example'] }, 'warn DMARC', /none/],
  ['DMARC without reports', { [dmarc]: ['v=DMARC1; p=reject'] }, 'warn DMARC', /without an address/],
  ['two DMARC records', { [dmarc]: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }, 'fail DMARC', /several/],
  ['no MTA-STS', { [`_mta-sts.${DOMAIN} TXT`]: [] }, 'fail MTA-STS', /no record/],
  ['an outdated MTA-STS', { [`_mta-sts.${DOMAIN} TXT`]: ['v=STSv1; id=1'] }, 'warn MTA-STS', /another policy/],
  ['no policy host', { [`mta-sts.${DOMAIN} A`]: [] }, 'fail MTA-STS', /no IP address/],
  ['no TLS-RPT', { [`_smtp._tls.${DOMAIN} TXT`]: [] }, 'warn TLS-RPT', /no record/],
  ['no SPF', { [`${DOMAIN} TXT`]: ['v=spf2'] }, 'fail SPF', /no record/],
  ['two SPF records', { [`${DOMAIN} TXT`]: ['v=spf1 -all', 'v=spf1 a -all'] }, 'fail SPF', /./],
  ['SPF with a syntax error', { [`${DOMAIN} TXT`]: ['v=spf1 ip4:300.1.1.1 -all'] }, 'fail SPF', /./],
  ['SPF for every host', { [`${DOMAIN} TXT`]: ['v=spf1 +all'] }, 'fail SPF', /every host/],
  ['a weak SPF', { [`${DOMAIN} TXT`]: ['v=spf1 a:mx.mayfly.example ~all'] }, 'warn SPF', /~all/],
  ['SPF without all', { [`${DOMAIN} TXT`]: ['v=spf1 a:mx.mayfly.example'] }, 'warn SPF', /other hosts/],
  ['SPF without the relay', { [`${DOMAIN} TXT`]: ['v=spf1 -all'] }, 'fail SPF', /relay/],
  [
    'SPF with 11 look-ups',
    {
      [`${DOMAIN} TXT`]: [`v=spf1 ${Array.from({ length: 11 }, (_, i) => `a:h${i}.example`).join(' ')} -all`],
      ...Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`h${i}.example A`, ['192.0.2.99']])),
    },
    'fail SPF',
    /Too many/,
  ],
]
test.each(RECORDS)('reports %s, and nothing else', async (_what, zone, trouble, found) => {
  Object.assign(outside().zone, zone)
  const findings = await domain()
  expect(troubles(findings)).toEqual([trouble])
  const finding = findings.find(({ level }) => level !== 'ok')
  expect(`${finding?.found} ${finding?.advice}`).toMatch(found)
})

test('applies the DMARC record of a parent domain, its policy for subdomains first', async () => {
  const sub = `vip.${DOMAIN}`
  const { doctor } = outside().service({ MAYFLY_PREMIUM_DOMAINS: sub })
  const finding = async () => (await doctor.domain(sub)).find(({ check }) => check === 'DMARC')
  expect(await finding()).toMatchObject({ level: 'ok', found: `reject, by _dmarc.${DOMAIN}` })
  outside().zone[dmarc] = ['v=DMARC1; p=reject; sp=none; rua=mailto:a@b.example']
  expect(await finding()).toMatchObject({ level: 'warn', found: `none, by _dmarc.${DOMAIN}` })
})

test('rejects another MTA-STS policy, an error, a redirect and another content type', async () => {
  for (const [status, type, text] of [
    [200, 'text/plain', 'version: STSv1\r\nmode: none\r\nmax_age: 1\r\n'],
    [404, 'text/plain', outside().presence.mtaSts.text],
    [301, 'text/plain', outside().presence.mtaSts.text],
    [200, 'text/html', outside().presence.mtaSts.text],
  ] as const) {
    outside().answerWeb((_request, response) => void response.writeHead(status, { 'content-type': type }).end(text))
    expect([status, type, troubles(await domain())]).toEqual([status, type, ['fail MTA-STS']])
  }
})

test('reports timeouts, and still runs the other checks', async () => {
  Object.assign(outside().zone, { [`${DOMAIN} MX`]: 'silence', '1.0.0.127.list.example A': 'silence' })
  outside().answerWeb(() => {})
  outside().relay.behave = (step) => (step === 'connect' ? 'hang' : 'accept')
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: mailPort } = server.address() as AddressInfo
  const { doctor } = outside().service({ MAYFLY_DOCTOR_SECONDS: '1' }, { mailPort })
  const findings = (await Promise.all([doctor.service(), doctor.domain(DOMAIN)])).flat()
  server.close()
  expect(troubles(findings).toSorted()).toEqual([
    'fail MTA-STS',
    'fail MX',
    'fail Port 25',
    'fail Relay',
    'fail Site',
    'warn Certificate',
    'warn list.example',
  ])
  for (const check of ['MTA-STS', 'MX', 'Port 25', 'list.example'])
    expect(findings.find((each) => each.check === check)?.found).toContain('in time')
})

test('needs no record if MTA-STS is not in use', async () => {
  delete outside().zone[`_mta-sts.${DOMAIN} TXT`]
  expect(troubles(await domain({ MAYFLY_MTA_STS: 'none' }))).toEqual([])
})

describe('the receiver', () => {
  const service = (env: Record<string, string> = {}) => outside().service(env).doctor.service()

  test.each<[string, Zone, string[], RegExp]>([
    ['no address', { [`${MAIL_HOST} A`]: [] }, ['fail A/AAAA'], /no IP address/],
    ['a CNAME', { [`${MAIL_HOST} CNAME`]: ['host.example'] }, ['fail A/AAAA'], /CNAME of host\.example/],
    ['no PTR', { '1.0.0.127.in-addr.arpa PTR': [] }, ['fail PTR'], /no record/],
    ['a PTR that is not confirmed', { '1.0.0.127.in-addr.arpa PTR': ['x.example'] }, ['fail PTR'], /does not resolve/],
    [
      'a PTR of another name',
      { '1.0.0.127.in-addr.arpa PTR': ['x.example'], 'x.example A': ['127.0.0.1'] },
      ['warn PTR'],
      /x\.example/,
    ],
    ['a listed address', { '1.0.0.127.list.example A': ['127.0.0.4'] }, ['fail list.example'], /listed: 127\.0\.0\.4/],
    [
      'a list that does not serve this resolver',
      { '1.0.0.127.list.example A': ['127.255.255.254'] },
      ['warn list.example'],
      /resolver/,
    ],
    ['a gone list', { '1.0.0.127.list.example A': ['192.0.2.7'] }, ['warn list.example'], /not a response/],
  ])('reports %s', async (_what, zone, trouble, found) => {
    Object.assign(outside().zone, zone)
    const findings = await service()
    expect(troubles(findings)).toEqual(trouble)
    expect(findings.map(({ found: each, advice }) => `${each} ${advice}`).join('\n')).toMatch(found)
  })

  test('checks both addresses if one refuses connections', async () => {
    outside().zone[`${MAIL_HOST} A`] = ['127.0.0.1', '127.0.0.3']
    const findings = await service()
    expect(troubles(findings).toSorted()).toEqual(['fail PTR', 'fail Port 25', 'warn Certificate'])
    expect(findings.filter(({ level }) => level !== 'ok').map(({ about }) => about)).toEqual(Array(3).fill('127.0.0.3'))
    expect(findings.find(({ level, check }) => level === 'fail' && check === 'Port 25')?.found).toMatch(
      /connection refused/,
    )
  })

  test.each<[string, (socket: Socket) => unknown, RegExp]>([
    ['hangs up', (socket) => socket.end(), /closes/],
    ['is busy', (socket) => socket.end('421 4.3.2 Busy\r\n'), /421 4\.3\.2 Busy/],
    [
      'is another server',
      (socket) => {
        socket.write('220 mx.other.example ESMTP\r\n')
        socket.once('data', () => socket.end('250 mx.other.example\r\n'))
      },
      /another server/,
    ],
    [
      'has no STARTTLS',
      (socket) => {
        socket.write(`220 ${MAIL_HOST} ESMTP\r\n`)
        socket.once('data', () => socket.end(`250-${MAIL_HOST}\r\n250 SIZE\r\n`))
      },
      /no STARTTLS/,
    ],
  ])('reports a server on port 25 that %s', async (_what, answer, found) => {
    const server = createServer(answer)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const findings = await outside().service({}, { mailPort: port }).doctor.service()
    server.close()
    expect(troubles(findings)).toEqual(['fail Port 25', 'warn Certificate'])
    expect(findings.find(({ check }) => check === 'Port 25')).toMatchObject({ found: expect.stringMatching(found) })
  })

  /** Returns the finding about a receiver with this certificate. */
  async function certificate(key: { cert: string; private: string }, env: Record<string, string> = {}) {
    const secureContext = createSecureContext({ cert: key.cert, key: key.private })
    const server = createServer((socket) => {
      socket.write(`220 ${MAIL_HOST} ESMTP\r\n`)
      socket.once('data', () => {
        // Splits the reply into two segments.
        socket.write(`250-${MAIL_HOST}\r\n250`)
        setImmediate(() => socket.write('-SIZE\r\n250 STARTTLS\r\n'))
        socket.once('data', () => {
          socket.write('220 2.0.0 Ready\r\n')
          new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {})
        })
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const findings = await outside().service(env, { mailPort: port }).doctor.service()
    server.close()
    return findings.find(({ check }) => check === 'Certificate')
  }

  test('checks certificates: valid, soon to expire, expired, for another name, self-signed', async () => {
    const { certify } = outside()
    const { generate } = await import('selfsigned')
    const selfSigned = await generate([{ name: 'commonName', value: MAIL_HOST }], { algorithm: 'sha256' })
    expect(await certificate(await certify(MAIL_HOST))).toMatchObject({ level: 'ok', found: 'valid for 89 days' })
    expect(await certificate(await certify(MAIL_HOST, 13))).toMatchObject({
      level: 'warn',
      found: expect.stringMatching(/12 more days/),
    })
    expect(await certificate(await certify(MAIL_HOST, -1))).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/expired/),
    })
    expect(await certificate(await certify('x.example'))).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/another name/),
    })
    expect(await certificate(selfSigned)).toMatchObject({ level: 'fail', found: expect.stringMatching(/self-signed/) })
    expect(await certificate(selfSigned, { MAYFLY_MTA_STS: 'none' })).toMatchObject({ level: 'warn' })
  })
})

describe('the relay', () => {
  const relay = async (env: Record<string, string> = {}) =>
    (await outside().service(env).doctor.service()).find(({ check }) => check === 'Relay')

  test('warns if there is none', async () =>
    expect(await relay({ MAYFLY_OUTBOUND_URL: '' })).toMatchObject({
      level: 'warn',
      advice: expect.stringMatching(/OUTBOUND_URL/),
    }))

  test.each(['refuse', 'defer', 'drop'] as const)('fails if it replies with %s', async (behavior) => {
    outside().relay.behave = (step) => (step === 'connect' ? behavior : 'accept')
    expect(await relay()).toMatchObject({ level: 'fail' })
  })

  test('fails if it is unreachable', async () =>
    expect(await relay({ MAYFLY_OUTBOUND_URL: 'smtp://127.0.0.1:9' })).toMatchObject({ level: 'fail' }))

  test.each([
    ['right', 'ok'],
    ['wrong', 'fail'],
  ])('with a %s password: %s', async (password, level) => {
    const server = new SMTPServer({
      secure: true,
      logger: false,
      onAuth: (auth, _session, callback) =>
        auth.password === 'right' ? callback(null, { user: 'user' }) : callback(new Error('No such password')),
    })
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const { port } = server.server.address() as AddressInfo
    const url = `smtps://user:${password}@127.0.0.1:${port}?tls.rejectUnauthorized=false`
    const finding = await relay({ MAYFLY_OUTBOUND_URL: url })
    await new Promise<void>((resolve) => server.close(resolve))
    expect(finding).toMatchObject({ level })
  })

  test('names the parameters for a certificate that is not trusted', async () => {
    const server = new SMTPServer({ logger: false })
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const { port } = server.server.address() as AddressInfo
    const strict = await relay({ MAYFLY_OUTBOUND_URL: `smtp://127.0.0.1:${port}?tls.rejectUnauthorized=true` })
    const local = await relay({ MAYFLY_OUTBOUND_URL: `smtp://127.0.0.1:${port}` })
    await new Promise<void>((resolve) => server.close(resolve))
    expect(strict).toMatchObject({ level: 'fail', advice: expect.stringContaining('?tls.rejectUnauthorized=false') })
    expect(strict?.advice).toMatch(/\?tls\.servername=.*\?ignoreTLS=true/)
    expect(local).toMatchObject({ level: 'ok' })
  })

  test('never sends a password without TLS', async () => {
    const url = outside().relay.url.replace('smtp://', 'smtp://user:secret@')
    const finding = await relay({ MAYFLY_OUTBOUND_URL: url })
    expect(finding).toMatchObject({ level: 'fail', found: expect.stringMatching(/^TLS fails: [^:\n]+$/) })
    expect(JSON.stringify(finding)).not.toContain('secret')
  })
})
