import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { DAY } from '#core/time.ts'
import { createSigningKey } from '#features/email/signing-key.ts'
import { zoneLines } from '#features/operating/dns-records.ts'
import type { Finding } from '#features/operating/doctor-finding.ts'
import { createReader } from '#mail/reader/reader.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { composeOperating, composePresence } from '../../../src/composition/operating.ts'
import { startServer } from '../../../src/smtp/testing.ts'
import { startRelay } from '../mail/relay.ts'
import { startDnsServer, type Zone } from './dns-server.ts'

export const DOMAIN = 'mayfly.example'
export const MAIL_HOST = 'mx.mayfly.example'

/** A certificate authority of the test, and a certificate that it signs. */
async function startAuthority() {
  const authority = await generate([{ name: 'commonName', value: 'An authority' }], {
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true }],
  })
  return {
    ca: authority.cert,
    /** `others`: further names of the certificate. */
    certify: (name: string, days = 90, others: string[] = []) =>
      generate([{ name: 'commonName', value: name }], {
        algorithm: 'sha256',
        ca: { key: authority.private, cert: authority.cert },
        extensions: [
          { name: 'subjectAltName', altNames: [name, ...others].map((value) => ({ type: 2 as const, value })) },
        ],
        notBeforeDate: new Date(Date.now() - 100 * DAY),
        notAfterDate: new Date(Date.now() + days * DAY),
      }),
  }
}

export type Outside = Awaited<ReturnType<typeof openOutside>>

/**
 * A service as other servers see it, with name servers that have the records of `mayfly dns`, a receiver, a policy host,
 * a site and a relay.
 */
export async function openOutside() {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-outside-'))
  const { ca, certify } = await startAuthority()
  const dns = await startDnsServer()
  const relay = await startRelay()
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const [mx, site] = await Promise.all([certify(MAIL_HOST), certify(`mta-sts.${DOMAIN}`, 90, [DOMAIN])])
  await Promise.all([writeFile(certFile, mx.cert), writeFile(keyFile, mx.private)])
  const receiver = await startServer({ hostname: MAIL_HOST, certificate: { certFile, keyFile } })
  const reader = createReader()
  const facts = new Map<string, string>()
  const store = {
    async ensureMetadata(name: string, value: string) {
      if (!facts.has(name)) facts.set(name, value)
      return facts.get(name)!
    },
  }
  const wrap = createWrap(randomBytes(32))

  /** The service with other settings. */
  function service(
    env: Record<string, string> = {},
    options: { mailPort?: number; webPort?: number; ca?: string; isOwnAddress?: () => boolean } = {},
  ) {
    const config = loadConfig({
      MAYFLY_DOMAINS: DOMAIN,
      MAYFLY_PUBLIC_URL: 'https://mayfly.example',
      MAYFLY_OPERATOR_NAME: 'Mayfly Ltd',
      MAYFLY_OPERATOR_ADDRESS: '1 River Street, Springfield',
      MAYFLY_OPERATOR_EMAIL: 'legal@mayfly.example',
      MAYFLY_SMTP_HOSTNAME: MAIL_HOST,
      MAYFLY_OUTBOUND_URL: relay.url,
      MAYFLY_DNS_SERVERS: dns.address,
      MAYFLY_BLOCKLISTS: 'list.example',
      MAYFLY_MTA_STS: 'enforce',
      MAYFLY_DOCTOR_SECONDS: '10',
      MAYFLY_DATA_DIR: directory,
      // Nothing listens there.
      MAYFLY_HTTP_PORT: '9',
      ...env,
    })
    const signingKey = createSigningKey({ store, wrap, selector: config.email.dkimSelector })
    const presence = composePresence(config, { signingKey })
    const ports = { mailPort: receiver.port, webPort: (web.address() as AddressInfo).port, ca }
    const { doctor, close } = composeOperating(config, { presence, clock: Date.now, reader }, { ...ports, ...options })
    closing.unshift(close)
    return { presence, doctor }
  }
  const closing: (() => unknown)[] = []

  let answer: RequestListener
  const web = createServer({ cert: site.cert, key: site.private }, (request, response) => answer(request, response))
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  const { presence } = service()

  /** Restores correct records and servers. */
  async function heal(): Promise<void> {
    for (const key of Object.keys(dns.zone)) delete dns.zone[key]
    Object.assign(dns.zone, zoneOf(await zoneLines(DOMAIN, presence)), {
      [`${MAIL_HOST} A`]: ['127.0.0.1'],
      [`mta-sts.${DOMAIN} A`]: ['127.0.0.1'],
      [`${DOMAIN} A`]: ['127.0.0.1'],
      '1.0.0.127.in-addr.arpa PTR': [MAIL_HOST],
    })
    relay.behave = () => 'accept'
    answer = ({ url, headers }, response) => {
      const [host = ''] = headers.host!.split(':')
      if (url === '/api/v1/domains') {
        response.writeHead(host === DOMAIN ? 200 : 421).end(JSON.stringify({ domains: [{ name: DOMAIN }] }))
        return
      }
      const policy = url === '/.well-known/mta-sts.txt' ? presence.mtaSts.policyOf(host) : undefined
      response.writeHead(policy === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(policy)
    }
  }

  return {
    zone: dns.zone,
    relay,
    certify,
    presence,
    service,
    heal,
    /** Sets the responses of the site and the policy host. */
    answerWeb: (listener: RequestListener) => void (answer = listener),
    async close() {
      for (const close of closing) close()
      web.closeAllConnections()
      web.close()
      dns.close()
      await Promise.all([receiver[Symbol.asyncDispose](), relay.close(), reader.close()])
      await rm(directory, { recursive: true })
    },
  }
}

/** Parses lines of a zone file (RFC 1035, section 5.1). */
export function zoneOf(lines: readonly string[]): Zone {
  const zone: Record<string, string[]> = {}
  for (const line of lines) {
    if (line.startsWith(';') || line === '') continue
    const [, name, type, value] = /^(\S+)\. \d+ IN (\S+) (.+)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new Error(`No line of a zone file: ${line}`)
    const strings = [...value.matchAll(/"([^"]*)"/g)].map(([, text]) => text!)
    if (strings.some((text) => text.length > 255)) throw new Error(`A string is too long: ${line}`)
    const records = (zone[`${name} ${type}`] ??= [])
    records.push(type === 'TXT' ? strings.join('') : value)
  }
  return zone
}

/** `LEVEL CHECK` of each finding that is not ok. */
export const troubles = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ level, check }) => (level === 'ok' ? [] : [`${level} ${check}`]))

/** Opens the outside for the tests of a file, and repairs it before each of them. */
export function outsideOfFile(): () => Outside {
  let outside: Outside
  beforeAll(async () => {
    outside = await openOutside()
  })
  beforeEach(() => outside.heal())
  afterAll(() => outside.close())
  return () => outside
}
