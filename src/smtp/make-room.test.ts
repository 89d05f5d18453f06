import { describe, expect, it } from 'vitest'
import { connectFrom, openSession, PROXY, type RawClient, startServer, until } from './testing.ts'

const END = '\r\n.\r\n'
const LINE = `${'x'.repeat(70)}\r\n`
/** Sessions stall after this time. Shorter than a test, longer than the tests of others may pause. */
const STALL = 200
const NEVER = 60_000

/** Connects. Returns the client and the first reply. */
async function connected(port: number, address: string): Promise<{ client: RawClient; reply: string }> {
  const client = await connectFrom(port, address)
  return { client, reply: await client.reply() }
}

describe('messages that stall', () => {
  const start = (stallTime: number) =>
    startServer({ proxies: [PROXY], maxBufferedBytes: 2_000_000, memoryWait: 2000, stallTime })

  /** Sends a part of a message and nothing more. */
  async function hold(port: number, address: string, bytes: number): Promise<RawClient> {
    const { client } = await connected(port, address)
    await client.startData()
    client.send(`\r\n${LINE.repeat(bytes / LINE.length)}`)
    return client
  }

  async function send(port: number, address: string, bytes: number): Promise<string> {
    const client = await hold(port, address, bytes)
    client.send(END)
    const reply = await client.reply()
    client.close()
    return reply
  }

  it('are ended, the largest first, when others wait for memory', async () => {
    await using smtp = await start(STALL)
    const large = await hold(smtp.port, '203.0.113.9', 1_600_000)
    await until(() => (smtp.gauges['smtp_buffered_bytes'] ?? 0) >= 1_600_000)
    const small = await hold(smtp.port, '192.0.2.7', 30_000)
    expect(await send(smtp.port, '198.51.100.7', 700_000)).toMatch(/^250/)
    expect(await large.reply()).toMatch(/^421 4\.4\.2 Too slow while others wait/)
    expect(smtp.counts.filter((count) => count === 'smtp_timeouts stalled')).toHaveLength(1)
    expect(smtp.failures).toHaveLength(1)
    small.send(END)
    expect(await small.reply()).toMatch(/^250/)
    small.close()
  })

  it('are not ended for messages of their own network, or as long as nobody waits', async () => {
    await using smtp = await start(STALL)
    const large = await hold(smtp.port, '203.0.113.9', 1_600_000)
    await until(() => (smtp.gauges['smtp_buffered_bytes'] ?? 0) >= 1_600_000)
    expect(await send(smtp.port, '203.0.113.10', 700_000)).toMatch(/^452 4\.3\.1/)
    large.send(END)
    expect(await large.reply()).toMatch(/^250/)
    large.close()
  })

  it('are not ended before they stall', async () => {
    await using smtp = await start(NEVER)
    const large = await hold(smtp.port, '203.0.113.9', 1_600_000)
    await until(() => (smtp.gauges['smtp_buffered_bytes'] ?? 0) >= 1_600_000)
    expect(await send(smtp.port, '198.51.100.7', 700_000)).toMatch(/^452 4\.3\.1/)
    large.send(END)
    expect(await large.reply()).toMatch(/^250/)
    large.close()
  })
})

describe('sessions that stall', () => {
  const MAX = 20
  const start = (stallTime: number) => startServer({ proxies: [PROXY], maxConnections: MAX, stallTime })

  /** Fills all places: ten of one network, then as many as each further one gets. */
  async function fill(port: number): Promise<RawClient[]> {
    const clients: RawClient[] = []
    for (let network = 1; network <= MAX; network++) {
      for (let host = 1; host <= MAX; host++) {
        const { client, reply } = await connected(port, `203.0.${network}.${host}`)
        if (!reply.startsWith('220')) break
        clients.push(client)
      }
    }
    return clients
  }

  it('give their place to a network with fewer connections, the oldest of the largest one first', async () => {
    // Longer than it takes to fill all places.
    await using smtp = await start(20 * STALL)
    const clients = await fill(smtp.port)
    const [oldest, second] = clients
    let others = 0
    for (let n = 0; n < 250 && oldest!.unread === ''; n++) {
      const { client, reply } = await connected(smtp.port, `198.51.${n}.1`)
      clients.push(client)
      if (reply.startsWith('220')) others++
      else await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(others).toBeGreaterThan(0)
    expect(await oldest!.rest()).toMatch(/^421 4\.4\.2 Too slow while others wait/)
    expect(await second!.ask('NOOP')).toMatch(/^250/)
    expect(smtp.gauges['smtp_connections_open']).toBeLessThanOrEqual(MAX)
    for (const client of clients) client.close()
  })

  it('keep their place if no network with fewer connections needs it, or before they stall', async () => {
    await using smtp = await start(NEVER)
    const clients = await fill(smtp.port)
    const refused = await connected(smtp.port, '203.0.1.99')
    expect(refused.reply).toMatch(/^421 4\.7\.0/)
    for (let n = 0; n < 5; n++) await connected(smtp.port, `198.51.${n}.1`)
    for (const client of clients) expect(await client.ask('NOOP')).toMatch(/^250/)
    expect(smtp.counts).not.toContain('smtp_timeouts stalled')
    for (const client of clients) client.close()
  })
})

describe('a session between messages', () => {
  it('stalls ten seconds after the last command', async () => {
    const { client, session, close } = await openSession()
    const started = performance.now()
    await until(() => performance.now() - started > 200)
    await client.ask('NOOP')
    expect([session.stalls(started + 10_100), session.stalls(performance.now() + 10_100)]).toEqual([false, true])
    close()
  })

  it('stalls although it sends commands if it has no message for long', async () => {
    const { client, session, close } = await openSession({
      stallTimeWithoutMessage: 150,
      stallTime: 60_000,
      maxCommands: 1e9,
    })
    while (!session.stalls(performance.now())) expect(await client.ask('NOOP')).toMatch(/^250/)
    await client.startData()
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
    expect(session.stalls(performance.now())).toBe(false)
    close()
  })
})
