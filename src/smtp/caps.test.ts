import { describe, expect, it } from 'vitest'
import { greetingsOf, RawClient, REFUSED, startServer, GREETED, until } from './testing.ts'

const greetings = (port: number, addresses: string[]): Promise<string[]> =>
  greetingsOf(addresses.map((localAddress) => () => RawClient.connect(port, { greeting: false, localAddress })))

describe('open connections', () => {
  it('are limited in total, and accepted again when others have closed', async () => {
    await using smtp = await startServer({ maxConnections: 3 })
    const five = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
    expect(await greetings(smtp.port, five)).toEqual([GREETED, GREETED, GREETED, REFUSED, REFUSED])
    await until(() => smtp.gauges['smtp_connections_open'] === 0)
    expect(await greetings(smtp.port, ['127.0.0.1'])).toEqual([GREETED])
    expect(smtp.counts.filter((count) => count === 'smtp_connections total')).toHaveLength(2)
  })

  it('are limited per IP address', async () => {
    await using smtp = await startServer({ maxConnectionsPerAddress: 2 })
    const addresses = ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2']
    expect(await greetings(smtp.port, addresses)).toEqual([GREETED, GREETED, REFUSED, GREETED])
  })
})

describe('one session', () => {
  it('is limited to maxCommands commands', async () => {
    await using smtp = await startServer({ maxCommands: 5 })
    const client = await RawClient.connect(smtp.port)
    client.send('NOOP\r\n'.repeat(7))
    expect((await client.replies(9)).map((reply) => reply.slice(0, 9))).toEqual([
      ...Array(5).fill('250 2.0.0'),
      REFUSED,
    ])
  })

  it('is limited to maxErrors errors', async () => {
    await using smtp = await startServer({ maxErrors: 3 })
    const client = await RawClient.connect(smtp.port)
    client.send('WHAT\r\nNOOP\r\nEXPN\r\nHELO\r\nNOOP\r\nWHAT\r\nNOOP\r\n')
    expect((await client.replies(9)).map((reply) => reply.slice(0, 3))).toEqual('500 250 502 501 250 421'.split(' '))
    expect(await client.rest()).toBe('')
  })

  it.each([
    ['is refused', 'MAIL FROM:<> SIZE=999999999', '552'],
    ['is too long', `MAIL FROM:<${'a'.repeat(3000)}@shop.example>`, '500'],
    ['has a control character', 'MAIL FROM:<a\u0001@shop.example>', '500'],
  ])('may have more recipients than errors in a pipelined group whose MAIL %s', async (_case, mail, code) => {
    await using smtp = await startServer({ maxErrors: 3 })
    const client = await RawClient.connect(smtp.port)
    client.send(`EHLO x\r\n${mail}\r\n${'RCPT TO:<a@mayfly.test>\r\n'.repeat(4)}DATA\r\nNOOP\r\n`)
    const codes = (await client.replies(8)).slice(1).map((reply) => reply.slice(0, 3))
    expect(codes).toEqual([code, '503', '503', '503', '503', '503', '250'])
  })

  it.each(['unknown@mayfly.test', 'a@elsewhere.test'])(
    'may have more pipelined groups to refused recipients than errors: %s',
    async (recipient) => {
      await using smtp = await startServer({ maxErrors: 3 })
      const client = await RawClient.connect(smtp.port)
      client.send(`EHLO x\r\n${`MAIL FROM:<>\r\nRCPT TO:<${recipient}>\r\nDATA\r\nRSET\r\n`.repeat(5)}NOOP\r\n`)
      const codes = (await client.replies(22)).slice(1).map((reply) => reply.slice(0, 3))
      expect(codes).toEqual([...Array.from({ length: 5 }, () => ['250', '550', '554', '250']).flat(), '250'])
    },
  )

  it('is limited to maxRefusedRecipients unknown recipients, which do not count as errors', async () => {
    await using smtp = await startServer({ maxRefusedRecipients: 12 })
    const client = await RawClient.connect(smtp.port)
    client.send(`EHLO x\r\nMAIL FROM:<>\r\n${'RCPT TO:<unknown@mayfly.test>\r\n'.repeat(14)}`)
    const codes = (await client.replies(20)).slice(2).map((reply) => reply.slice(0, 3))
    expect(codes).toEqual([...Array(12).fill('550'), '421'])
  })

  it('is limited to maxMessages messages', async () => {
    await using smtp = await startServer({ maxMessages: 2 })
    const client = await RawClient.connect(smtp.port)
    const message = 'MAIL FROM:<>\r\nRCPT TO:<a@mayfly.test>\r\nDATA\r\nx\r\n.\r\n'
    client.send(`EHLO x\r\n${message.repeat(3)}`)
    const codes = (await client.replies(20)).slice(1).map((reply) => reply.slice(0, 3))
    expect(codes).toEqual('250 250 354 250 250 250 354 250 421'.split(' '))
    expect(smtp.deliveries).toHaveLength(2)
  })

  it('accepts command lines of up to 2048 bytes', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    const line = (bytes: number) => `NOOP ${'x'.repeat(bytes - 7)}`
    expect(await client.ask(line(2047))).toMatch(/^250/)
    expect(await client.ask(line(2048))).toMatch(/^250/)
    expect(await client.ask(line(2049))).toMatch(/^500 5\.5\.6/)
    expect(await client.ask(line(1_000_000))).toMatch(/^500 5\.5\.6/)
    expect(await client.ask('NOOP')).toMatch(/^250/)
    client.close()
  })
})

describe('one message', () => {
  const { options, END } = { options: { maxMessageBytes: 5_000_000 }, END: '\r\n.\r\n' }
  const header = (bytes: number) =>
    `${`X: ${'x'.repeat(995)}\r\n`.repeat(Math.floor(bytes / 1000))}Y:${'y'.repeat((bytes % 1000) - 2)}`

  it.each([
    ['accepts lines of 64 KiB', 'x'.repeat(65_536), /^250/],
    ['refuses longer lines', 'x'.repeat(65_537), /^554 5\.6\.0/],
    ['accepts a header section of 256 KiB', `${header(262_142)}\r\n\r\nbody`, /^250/],
    ['refuses a longer header section', `${header(262_143)}\r\n\r\nbody`, /^552 5\.3\.4/],
    ['accepts 100 hops', `${'Received: x\r\n'.repeat(100)}\r\nbody`, /^250/],
    ['refuses more hops', `${'Received: x\r\n'.repeat(101)}\r\nbody`, /^554 5\.4\.6/],
    ['accepts 5,000,000 bytes', `\r\n${`${'x'.repeat(998)}\r\n`.repeat(4999)}${'x'.repeat(996)}`, /^250/],
    ['refuses more bytes', `\r\n${`${'x'.repeat(998)}\r\n`.repeat(4999)}${'x'.repeat(997)}`, /^552 5\.3\.4/],
  ])('%s', async (_, message, reply) => {
    await using smtp = await startServer(options)
    const client = await RawClient.connect(smtp.port)
    await client.startData()
    client.send(message + END)
    expect(await client.reply()).toMatch(reply)
    client.close()
  })

  it('needs the memory of its size once, also if lines begin with dots', async () => {
    const room = options.maxMessageBytes + 100_000
    await using smtp = await startServer({ ...options, maxBufferedBytes: room })
    const client = await RawClient.connect(smtp.port)
    await client.startData()
    client.send(`${`${'x'.repeat(998)}\r\n`.repeat(4998)}...${'x'.repeat(1000)}${END}`)
    expect(await client.reply()).toMatch(/^250/)
    client.close()
  })

  it('is refused for good if it has a bare LF and its copy never fits', async () => {
    await using smtp = await startServer({ ...options, maxBufferedBytes: options.maxMessageBytes + 100_000 })
    const client = await RawClient.connect(smtp.port)
    await client.startData()
    client.send(` ${`${'x'.repeat(998)}\r\n`.repeat(4998)}\r\nx\ny${END}`)
    expect(await client.reply()).toMatch(/^552/)
    client.close()
  })

  it('makes a client wait for memory and continues when there is some', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await using smtp = await startServer({ maxBufferedBytes: 100_000, memoryWait: 60_000 }, { deliver: () => promise })
    const [a, b] = await Promise.all([RawClient.connect(smtp.port), RawClient.connect(smtp.port)])
    await a.startData()
    a.send(`${'x'.repeat(60_000)}${END}`)
    await until(() => (smtp.gauges['smtp_buffered_bytes'] ?? 0) >= 60_000)
    await b.startData()
    b.send(`${'x'.repeat(60_000)}${END}`)
    await until(() => smtp.counts.includes('smtp_memory_waits'))
    resolve()
    expect(await b.reply()).toMatch(/^250/)
    for (const client of [a, b]) client.close()
  })

  it('is refused while the memory of all sessions is used up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await using smtp = await startServer({ maxBufferedBytes: 70_000, memoryWait: 50 }, { deliver: () => promise })
    const clients = await Promise.all(Array.from({ length: 4 }, () => RawClient.connect(smtp.port)))
    const [a, b, c, d] = clients as [RawClient, RawClient, RawClient, RawClient]
    await a.startData()
    a.send(`${'x'.repeat(40_000)}${END}`)
    await until(() => (smtp.gauges['smtp_buffered_bytes'] ?? 0) >= 40_000)
    await b.startData()
    b.send(`${'x'.repeat(40_000)}${END}`)
    expect(await b.reply()).toMatch(/^452 4\.3\.1/)
    await c.startData()
    const asked = performance.now()
    await expect(d.startData()).rejects.toThrow('452 4.3.1')
    expect(performance.now() - asked).toBeGreaterThan(50)
    resolve()
    expect(await a.reply()).toMatch(/^250/)
    expect(await d.ask('DATA')).toMatch(/^354/)
    for (const client of clients) client.close()
  })
})
