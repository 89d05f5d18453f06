import { createServer, type Server } from 'node:http'
import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { createMetrics } from '#telemetry/metrics.ts'
import { limitConnections } from './connections.ts'

const MAX = 400

/** Returns a function that opens a connection from an IP address and reports whether it was accepted. */
function listening(trustedProxies: string[] = []) {
  const server: Server = createServer()
  let taken = 0
  server.removeAllListeners('connection').on('connection', () => taken++)
  limitConnections(server, { maxConnections: MAX, maxConnectionsPerClient: 100, trustedProxies }, createMetrics())
  return (remoteAddress: string): boolean => {
    const before = taken
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    server.emit('connection', Object.assign(socket, { remoteAddress }))
    return taken > before
  }
}

/** Returns how many of that many connections are accepted. */
const count = (open: (from: string) => boolean, from: (n: number) => string, of = 2 * MAX): number =>
  Array.from({ length: of }, (_, n) => open(from(n))).filter(Boolean).length

test.each([
  ['an IPv4 /24', (n: number) => `203.0.113.${n % 256}`],
  ['the same, written as IPv6', (n: number) => `::ffff:203.0.113.${n % 256}`],
  ['an IPv6 /48', (n: number) => `2001:db8:1:${n.toString(16)}::1`],
])('%s holds no more connections than it leaves free: others get in', (_what, from) => {
  const open = listening()
  expect(count(open, from)).toBe(MAX / 2)
  expect(count(open, (n) => `198.51.100.${n % 256}`)).toBe(Math.ceil(MAX / 6))
  expect(open('192.0.2.1')).toBe(true)
})

test('ten networks leave an eleventh of the connections to others', () => {
  const open = listening()
  for (let network = 0; network < 10; network++) count(open, (n) => `203.0.${network}.${n % 256}`, MAX)
  expect(count(open, (n) => `198.51.${n}.1`, 20)).toBe(20)
})

test('a large network gets more although many small ones have more than half of the connections', () => {
  const open = listening()
  for (let n = 0; n < 240; n++) expect(open(`198.51.${n}.1`)).toBe(true)
  expect(count(open, (n) => `203.0.113.${n % 256}`, 100)).toBe(100)
})

test('this machine and trusted proxies may take all places', () => {
  const open = listening(['10.0.0.0/24'])
  expect(count(open, () => '10.0.0.7')).toBe(MAX)
  const here = listening()
  expect(count(here, (n) => `127.0.0.${n % 256}`)).toBe(MAX)
})

test.each([
  ['429 Too Many Requests', 'too_many_requests', 1],
  ['503 Service Unavailable', 'unavailable', 2],
])('programs of other sites can read a refusal: %s', (status, code, maxConnectionsPerClient) => {
  const server = createServer()
  server.removeAllListeners('connection')
  limitConnections(server, { maxConnections: 2, maxConnectionsPerClient, trustedProxies: [] }, createMetrics())
  const written: string[] = []
  for (let i = 0; i < 3; i++) {
    const socket = new Duplex({ read() {}, write: (chunk, _encoding, done) => (written.push(String(chunk)), done()) })
    server.emit('connection', Object.assign(socket, { remoteAddress: '127.0.0.1' }))
  }
  const [head = '', body = ''] = (written.at(-1) ?? '').split('\r\n\r\n')
  const [first, ...headers] = head.split('\r\n')
  expect([first, JSON.parse(body)]).toEqual([`HTTP/1.1 ${status}`, expect.objectContaining({ code })])
  expect(headers).toContain('access-control-allow-origin: *')
  expect(headers.join('\n')).toMatch(/^access-control-expose-headers: .*\bRetry-After\b/m)
  expect(headers).toContain(`content-length: ${Buffer.byteLength(body)}`)
  expect(headers).toEqual(expect.arrayContaining(['retry-after: 10', 'connection: close', 'cache-control: no-store']))
})
