import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it } from 'vitest'
import type { SmtpOptions } from './options.ts'
import { addressIn } from './proxies.ts'
import { greetingsOf, REFUSED, GREETED, RawClient, startServer, until } from './testing.ts'

const PROXY = '127.0.0.9'
const SIGNATURE = '\r\n\r\n\0\r\nQUIT\n'
const LOCAL = `${SIGNATURE}\x20\0\0\0`
/** PROXY, TCP over IPv6 from 2001:db8::7, with a TLV that HAProxy sends if it has terminated TLS. */
const IPV6_OVER_TLS =
  `${SIGNATURE}\x21\x21\0\x2c` +
  `\x20\x01\x0d\xb8${'\0'.repeat(11)}\x07${'\x20\x01\x0d\xb8'.padEnd(16, '\0')}\xdb\x60\0\x19` +
  `\x20\0\x05\x01\0\0\0\0`

const tcp4 = (source: string): string => `PROXY TCP4 ${source} 198.51.100.1 56160 25\r\n`
const tcp6 = (source: string): string => `PROXY TCP6 ${source} 2001:db8::25 56160 25\r\n`

const start = (options: Partial<SmtpOptions> = {}) => startServer({ proxies: [PROXY], ...options })

/** Connects as the proxy and sends the header. Reads nothing. */
async function throughProxy(port: number, header: string, localAddress = PROXY): Promise<RawClient> {
  const client = await RawClient.connect(port, { greeting: false, localAddress })
  client.send(header)
  return client
}

const greetings = (port: number, headers: string[]): Promise<string[]> =>
  greetingsOf(headers.map((header) => () => throughProxy(port, header)))

describe('a connection from a proxy', () => {
  it.each([
    ['1, IPv4', tcp4('192.0.2.7'), '192.0.2.7', '[192.0.2.7]'],
    ['1, IPv6', tcp6('2001:DB8:0::7'), '2001:db8::7', '[IPv6:2001:db8::7]'],
    ['1, IPv4 mapped into IPv6', tcp6('::ffff:192.0.2.7'), '192.0.2.7', '[192.0.2.7]'],
    ['1, unknown', 'PROXY UNKNOWN\r\n', PROXY, `[${PROXY}]`],
    ['2, IPv6, over TLS', IPV6_OVER_TLS, '2001:db8::7', '[IPv6:2001:db8::7]'],
    ['2, LOCAL', LOCAL, PROXY, `[${PROXY}]`],
  ])('takes the client address from the header: version %s', async (_, header, address, literal) => {
    await using smtp = await start()
    const client = await throughProxy(smtp.port, header)
    expect(await client.reply()).toMatch(/^220/)
    await client.startData()
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
    expect(await client.ask('QUIT')).toMatch(/^221/)
    expect(smtp.deliveries).toMatchObject([
      { envelope: { clientAddress: address }, trace: expect.stringContaining(`from client.example (${literal})`) },
    ])
    expect(smtp.counts).toContain('smtp_connections accepted')
  })

  it.each([
    ['1', tcp4('192.0.2.7')],
    ['2', IPV6_OVER_TLS],
  ])('is greeted after its header, however that is split: version %s', async (_, header) => {
    await using smtp = await start()
    const other = await RawClient.connect(smtp.port)
    const client = await throughProxy(smtp.port, '')
    for (const byte of header) {
      // After this reply the server has also read the previous byte of the header.
      await other.ask('NOOP')
      expect(client.unread).toBe('')
      client.send(byte)
    }
    expect(await client.reply()).toMatch(/^220/)
    client.close()
    other.close()
  })

  it('supports STARTTLS', async () => {
    await using smtp = await start()
    const client = await throughProxy(smtp.port, tcp4('192.0.2.7'))
    await client.reply()
    expect(await client.ask('STARTTLS')).toMatch(/^220/)
    client.socket.removeAllListeners()
    const secure = connectTls({ socket: client.socket, rejectUnauthorized: false, servername: 'mx.mayfly.test' })
    await once(secure, 'secureConnect')
    client.use(secure)
    await client.startData()
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
    expect(smtp.deliveries).toMatchObject([{ envelope: { clientAddress: '192.0.2.7', tls: true } }])
    client.close()
  })

  it('passes bytes after the header to SMTP, and reads only one header', async () => {
    await using smtp = await start()
    const earlyTalker = await throughProxy(smtp.port, `${tcp4('192.0.2.7')}EHLO x\r\n`)
    expect(await earlyTalker.reply()).toMatch(/^554 5\.5\.1 You spoke before/)
    const client = await throughProxy(smtp.port, tcp4('192.0.2.7'))
    await client.reply()
    expect(await client.ask(tcp4('192.0.2.8').trim())).toMatch(/^500/)
    await client.startData()
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
    expect(smtp.deliveries).toMatchObject([{ envelope: { clientAddress: '192.0.2.7' } }])
    client.close()
  })

  it.each([
    ['SMTP', 'EHLO x\r\n', 'malformed'],
    ['a header with a bad address', 'PROXY TCP4 192.0.2.256 198.51.100.1 1 25\r\n', 'malformed'],
    ['a header without an end', `PROXY UNKNOWN ${'x'.repeat(200)}`, 'malformed'],
  ])('that begins with %s is closed without a reply', async (_, bytes, fault) => {
    await using smtp = await start()
    const client = await throughProxy(smtp.port, bytes)
    expect(await client.rest()).toBe('')
    expect(smtp.counts).toEqual([`smtp_connections proxy_${fault}`])
    expect(smtp.logs.filter((line) => line.includes('PROXY'))).toEqual([
      `SMTP connection without a PROXY header {"proxy":"${PROXY}","header":"${fault}"}`,
    ])
    expect(smtp.gauges['smtp_connections_open']).toBe(0)
  })

  it('is logged if it ends within its header, but not if it ends before (a health check)', async () => {
    await using smtp = await start()
    const partial = await throughProxy(smtp.port, 'PROXY TCP4')
    partial.socket.end()
    expect(await partial.rest()).toBe('')
    const silent = await throughProxy(smtp.port, '')
    silent.socket.end()
    expect(await silent.rest()).toBe('')
    const reset = await throughProxy(smtp.port, '')
    await until(() => smtp.gauges['smtp_connections_open'] === 1)
    reset.socket.resetAndDestroy()
    await until(() => smtp.counts.length === 3)
    expect(smtp.counts).toEqual(['smtp_connections proxy_partial', 'smtp_connections gone', 'smtp_connections gone'])
    expect(smtp.logs.filter((line) => line.includes('PROXY'))).toHaveLength(1)
    expect(smtp.gauges['smtp_connections_open']).toBe(0)
  })

  it.each([
    ['nothing', ''],
    ['part of a header', 'PROXY '],
    ['a header that declares more bytes than it has', `${SIGNATURE}\x21\x11\x0f\xf0${'\x01'.repeat(12)}`],
  ])('is closed if its header takes too long: %s', async (_, bytes) => {
    await using smtp = await start({ proxyHeaderTimeout: 150 })
    const before = performance.now()
    const client = await throughProxy(smtp.port, bytes)
    expect(await client.rest()).toBe('')
    expect(performance.now() - before).toBeGreaterThan(145)
    expect(smtp.counts).toEqual(['smtp_connections proxy_timeout'])
  })

  it('has the timeouts of a session after its header', async () => {
    await using smtp = await start({ proxyHeaderTimeout: 100 })
    const client = await throughProxy(smtp.port, tcp4('192.0.2.7'))
    await client.reply()
    const slow = await throughProxy(smtp.port, '')
    expect(await slow.rest()).toBe('')
    expect(await client.ask('NOOP')).toMatch(/^250/)
    client.close()
  })

  it('is closed at shutdown if its header has not arrived', async () => {
    const smtp = await start({ proxyHeaderTimeout: 600_000 })
    const client = await throughProxy(smtp.port, 'PROXY ')
    const other = await RawClient.connect(smtp.port)
    await other.ask('NOOP')
    expect(smtp.gauges['smtp_connections_open']).toBe(2)
    await smtp.server.close()
    expect(await client.rest()).toBe('')
  })
})

describe('connection limits behind a proxy', () => {
  it('apply to the client, not to the proxy', async () => {
    await using smtp = await start({ maxConnectionsPerAddress: 2 })
    const clients = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.2']
    expect(await greetings(smtp.port, clients.map(tcp4))).toEqual([
      GREETED,
      GREETED,
      REFUSED,
      GREETED,
      GREETED,
      REFUSED,
    ])
    await until(() => smtp.gauges['smtp_connections_open'] === 0)
    expect(await greetings(smtp.port, [tcp4('192.0.2.1'), LOCAL, LOCAL, LOCAL])).toEqual([
      GREETED,
      GREETED,
      GREETED,
      REFUSED,
    ])
  })

  it('count IPv4 and IPv4-mapped IPv6 as one address', async () => {
    await using smtp = await start({ maxConnectionsPerAddress: 1 })
    expect(await greetings(smtp.port, [tcp4('192.0.2.1'), tcp6('::ffff:192.0.2.1')])).toEqual([GREETED, REFUSED])
  })

  it('apply to the network of the client', async () => {
    await using smtp = await start({ maxConnectionsPerNetwork: 2 })
    const clients = ['2001:db8:0:7::1', '2001:db8:0:7::2', '2001:db8:0:7::3', '2001:db8:0:8::1']
    expect(await greetings(smtp.port, clients.map(tcp6))).toEqual([GREETED, GREETED, REFUSED, GREETED])
  })

  it('count connections whose header has not arrived in the total', async () => {
    await using smtp = await start({ maxConnections: 3 })
    const waiting = await Promise.all(['', 'PROXY ', SIGNATURE].map((bytes) => throughProxy(smtp.port, bytes)))
    await until(() => smtp.gauges['smtp_connections_open'] === 3)
    expect(await greetings(smtp.port, [tcp4('192.0.2.1')])).toEqual([REFUSED])
    for (const client of waiting) client.close()
    await until(() => smtp.gauges['smtp_connections_open'] === 0)
    expect(await greetings(smtp.port, [tcp4('192.0.2.1')])).toEqual([GREETED])
  })
})

describe('a connection that is not from a proxy', () => {
  it('is greeted at once, and a PROXY header is an unknown command', async () => {
    await using smtp = await start({ maxConnectionsPerAddress: 1 })
    const client = await RawClient.connect(smtp.port)
    expect(await client.ask(tcp4('192.0.2.7').trim())).toMatch(/^500/)
    await client.startData()
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
    expect(smtp.deliveries).toMatchObject([
      { envelope: { clientAddress: '127.0.0.1' }, trace: expect.stringContaining('([127.0.0.1])') },
    ])
    const second = await RawClient.connect(smtp.port, { greeting: false })
    expect(await second.reply()).toMatch(/^421/)
    client.close()
  })

  it('is every connection if no proxy is configured', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port, { localAddress: PROXY })
    expect(await client.ask(tcp4('192.0.2.7').trim())).toMatch(/^500/)
    client.close()
  })
})

describe('addressIn', () => {
  it.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['10.1.2.3', ['192.0.2.1', '10.1.2.3'], true],
    ['10.1.2.4', ['192.0.2.1', '10.1.2.3'], false],
    ['10.1.2.3', ['10.1.2.3/32'], true],
    ['2001:db8::9', ['2001:db8::/32'], true],
    ['2001:db9::9', ['2001:db8::/32'], false],
    ['::1', ['0:0:0:0:0:0:0:1'], true],
    ['10.1.2.3', ['::ffff:10.1.2.3'], true],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
    ['10.1.2.3', ['::1/1'], false],
    ['10.1.2.3', [], false],
    ['', ['10.0.0.0/8'], false],
  ])('%s in %j: %s', (address, networks, expected) => expect(addressIn(networks)(address)).toBe(expected))
})
