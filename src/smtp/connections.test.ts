import { describe, expect, test } from 'vitest'
import type { SmtpOptions } from './options.ts'
import { SenderLimits } from './sender-limits.ts'
import {
  connectFrom,
  defaultSmtpOptions,
  GREETED,
  greetingsOf,
  PROXY,
  RawClient,
  REFUSED,
  startServer,
} from './testing.ts'

/** Starts a server behind a proxy that names the clients. */
const start = (options: Partial<SmtpOptions> = {}) => startServer({ proxies: [PROXY], ...options })

describe('open connections', () => {
  const open = async (options: Partial<SmtpOptions>, addresses: string[]) => {
    await using smtp = await start(options)
    return await greetingsOf(addresses.map((address) => () => connectFrom(smtp.port, address)))
  }

  test.each([
    ['a /48', (n: number) => `2001:db8:0:${(n * 300).toString(16)}::1`, '2001:db8:1::1'],
    ['an IPv4 /24', (n: number) => `192.0.2.${n}`, '198.51.100.1'],
  ])('from %s never exceed the connections that are free', async (_, address, other) => {
    const results = await open({ maxConnections: 20 }, [...Array.from({ length: 15 }, (__, n) => address(n)), other])
    expect(results).toEqual([...Array(10).fill(GREETED), ...Array(5).fill(REFUSED), GREETED])
  })

  test('from a /56 are limited to ten times those from a /64', async () => {
    const from = (n: number) => `2001:db8:0:${n.toString(16)}::1`
    const results = await open({ maxConnectionsPerNetwork: 1 }, [...Array(12).keys(), 256].map(from))
    expect(results).toEqual([...Array(10).fill(GREETED), REFUSED, REFUSED, GREETED])
  })
})

describe('new connections', () => {
  const open = async (port: number, from: string): Promise<string> => {
    const client = await connectFrom(port, from)
    const reply = (await client.reply()).slice(0, GREETED.length)
    client.close()
    return reply
  }

  test('from one IP address are limited in a burst, those from others are not', async () => {
    await using smtp = await start()
    let greeted = 0
    for (let reply = GREETED; reply !== REFUSED; reply = await open(smtp.port, '192.0.2.1')) greeted++
    expect(greeted).toBeGreaterThanOrEqual(200)
    expect(smtp.counts).toContain('smtp_connections rate')
    expect(await open(smtp.port, '192.0.2.2')).toBe(GREETED)
  })

  test.each([
    ['one IPv4 address', () => '192.0.2.1', 200],
    ['an IPv4 /24', (n: number) => `192.0.2.${n % 250}`, 800],
    ['an IPv6 /64', (n: number) => `2001:db8::${n.toString(16)}`, 200],
    ['an IPv6 /48', (n: number) => `2001:db8:0:${(n % 4000).toString(16)}::1`, 800],
  ])('from %s come back with time', (_, from, burst) => {
    const time = { now: 0 }
    const senders = new SenderLimits(defaultSmtpOptions(), () => time.now)
    const started = (): number =>
      Array.from({ length: 10_000 }, (__, n) => senders.of(from(n))).filter((sender) => {
        const may = sender.mayConnect()
        if (may) sender.connected()
        return may
      }).length
    expect(started()).toBe(burst)
    time.now += 5000
    expect(started()).toBe(burst / 2)
  })

  test('do not count if they are refused: a client at its limit can replace its connections', async () => {
    await using smtp = await start({ maxConnectionsPerAddress: 1 })
    const held = await connectFrom(smtp.port, '192.0.2.1')
    expect((await held.reply()).slice(0, GREETED.length)).toBe(GREETED)
    for (let i = 0; i < 250; i++) expect(await open(smtp.port, '192.0.2.1')).toBe(REFUSED)
    held.close()
    await expect.poll(() => open(smtp.port, '192.0.2.1')).toBe(GREETED)
    expect(smtp.counts).not.toContain('smtp_connections rate')
  })

  test('from a proxy that does not name its clients have no rate, and no share', async () => {
    const options = { proxies: [PROXY], maxConnections: 20, maxConnectionsPerAddress: 1000 }
    await using smtp = await startServer(options)
    const unnamed = async (): Promise<RawClient> => {
      const client = await RawClient.connect(smtp.port, { greeting: false, localAddress: PROXY })
      client.send('PROXY UNKNOWN\r\n')
      return client
    }
    expect(await greetingsOf(Array.from({ length: 20 }, () => unnamed))).toEqual(Array(20).fill(GREETED))
  })

  test('from this machine have no limit', async () => {
    await using smtp = await startServer()
    for (let i = 0; i < 230; i++) (await RawClient.connect(smtp.port)).close()
    expect(smtp.counts).not.toContain('smtp_connections rate')
  })
})
