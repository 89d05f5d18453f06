import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import type { Receive } from '#features/receiving/receive.ts'
import { fakeReceive, openSession, RawClient, startServer, until } from './testing.ts'

/** Sends lines one by one and returns the replies. */
async function talk(client: RawClient, lines: string[]): Promise<string[]> {
  const replies: string[] = []
  for (const line of lines) replies.push(await client.ask(line))
  return replies
}

const HELLO = 'EHLO client.example'
const MAIL = 'MAIL FROM:<s@example.org>'
const RCPT = 'RCPT TO:<a@mayfly.test>'

describe('a session', () => {
  it('receives a message', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    await client.startData()
    expect(await client.ask('Subject: x\r\n\r\nbody\r\n.')).toMatch(/^250 2\.6\.0/)
    expect(await client.ask('QUIT')).toMatch(/^221/)
    expect(await client.rest()).toBe('')
    expect(smtp.deliveries).toEqual([
      {
        envelope: {
          mailFrom: 's@example.org',
          helo: 'client.example',
          clientAddress: '127.0.0.1',
          tls: false,
          receivedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
        },
        recipients: ['a@mayfly.test'],
        message: 'Subject: x\r\n\r\nbody\r\n',
        trace: expect.stringMatching(
          /^Received: from client\.example \(\[127\.0\.0\.1\]\)\r\n\tby mx\.mayfly\.test \(Mayfly\) with ESMTP id [\w-]+\r\n\tfor <a@mayfly\.test>;\r\n\tFri, 02 Jan 2026 03:04:05 \+0000\r\n$/,
        ),
      },
    ])
  })

  it('greets, and lists its extensions in reply to EHLO', async () => {
    await using smtp = await startServer({ maxMessageBytes: 12345 })
    const client = await RawClient.connect(smtp.port, { greeting: false })
    expect(await client.reply()).toBe('220 mx.mayfly.test ESMTP Mayfly')
    expect((await client.ask(HELLO)).split('\n').map((line) => line.slice(4))).toEqual([
      'mx.mayfly.test',
      'STARTTLS',
      'PIPELINING',
      'SIZE 12345',
      'ENHANCEDSTATUSCODES',
      '8BITMIME',
      'SMTPUTF8',
      'HELP',
    ])
    expect(await client.ask('HELO client.example')).toBe('250 mx.mayfly.test')
    client.close()
  })

  it.each([
    ['NOOP', /^250/],
    ['NOOP with words', /^250/],
    ['HELP MAIL', /^214/],
    ['VRFY a@mayfly.test', /^252/],
    ['VRFY nobody@mayfly.test', /^252/],
    ['EXPN list', /^502/],
    ['RSET', /^250/],
    ['RSET now', /^501/],
    ['EHLO', /^501/],
    [`EHLO ${'x'.repeat(256)}`, /^501/],
    ['AUTH PLAIN AHgAeA==', /^500/],
    ['constructor', /^500/],
    ['__proto__', /^500/],
    ['', /^500/],
    ['NOOP \0', /^500 5\.5\.2/],
    ['NOOP \x1b[2J', /^500 5\.5\.2/],
    [MAIL, /^503/],
    [RCPT, /^503/],
    ['DATA', /^503/],
    ['BDAT 3 LAST', /^500/],
    ['GET / HTTP/1.1', /^421/],
    ['QUIT', /^221/],
  ])('replies to %j', async (line, reply) => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    expect(await client.ask(line)).toMatch(reply)
    client.close()
  })

  it.each([
    [[HELLO, MAIL, MAIL], /^503/],
    [[HELLO, MAIL, RCPT, HELLO, RCPT], /^503/],
    [[HELLO, MAIL, RCPT, 'RSET', 'DATA'], /^503/],
    [[HELLO, MAIL, 'DATA'], /^554 5\.5\.1/],
    [[HELLO, MAIL, RCPT, 'DATA now'], /^501/],
    [[HELLO, 'MAIL FROM:<>'], /^250/],
    [[HELLO, 'MAIL FROM:<s@example.org> SIZE=10485760 BODY=8BITMIME SMTPUTF8'], /^250/],
    [[HELLO, 'MAIL FROM:<s@example.org> SIZE=10485761'], /^552 5\.3\.4/],
    [[HELLO, 'MAIL FROM:<s@example.org> SIZE=99999999999999999999'], /^552 5\.3\.4/],
    [[HELLO, 'MAIL FROM:<s@example.org> SIZE=-1'], /^501/],
    [[HELLO, 'MAIL FROM:<s@example.org> SIZE'], /^501/],
    [[HELLO, 'MAIL FROM:<s@example.org> BODY=BINARYMIME'], /^501/],
    [[HELLO, 'MAIL FROM:<s@example.org> SMTPUTF8=1'], /^501/],
    [[HELLO, 'MAIL FROM:<s@example.org> RET=FULL'], /^555/],
    [[HELLO, 'MAIL FROM:<\xc3\xbc@example.org>'], /^553 5\.6\.7/],
    [[HELLO, 'MAIL FROM:s@example.org'], /^501/],
    [[HELLO, MAIL, 'RCPT TO:<a@mayfly.test> NOTIFY=NEVER'], /^555/],
    [[HELLO, MAIL, 'RCPT TO:<>'], /^501/],
    [[HELLO, MAIL, 'RCPT TO:<\xc3\xbc@mayfly.test>'], /^553 5\.6\.7/],
    [[HELLO, 'MAIL FROM:<s@example.org> SMTPUTF8', 'RCPT TO:<\xc3\xbc@mayfly.test>'], /^250/],
    [[HELLO, MAIL, 'RCPT TO:<unknown@mayfly.test>'], /^550 5\.1\.1/],
    [[HELLO, MAIL, 'RCPT TO:<a@foreign.example>'], /^550 5\.7\.1/],
    [[HELLO, MAIL, 'RCPT TO:<a%foreign.example@foreign.example>'], /^550 5\.7\.1/],
    [[HELLO, MAIL, 'RCPT TO:<a@[127.0.0.1]>'], /^550 5\.7\.1/],
    [[HELLO, MAIL, 'RCPT TO:<postmaster@[IPv6:::1]>'], /^550 5\.7\.1/],
    [[HELLO, 'STARTTLS now'], /^501/],
  ])('replies at the end of %j with %s', async (lines, reply) => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    expect((await talk(client, lines)).at(-1)).toMatch(reply)
    client.close()
  })

  it('accepts a hundred recipients, and stores one copy for two addresses of one mailbox', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    await talk(client, [HELLO, MAIL])
    const names = Array.from({ length: 100 }, (_, i) => `a${i}@mayfly.test`)
    expect(await talk(client, ['RCPT TO:<A0@mayfly.test>', ...names.map((name) => `RCPT TO:<${name}>`)])).toEqual(
      Array(101).fill('250 2.1.5 Recipient OK'),
    )
    expect(await client.ask('RCPT TO:<one-more@mayfly.test>')).toMatch(/^452 4\.5\.3/)
    await talk(client, ['DATA'])
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
    expect(smtp.deliveries[0]?.recipients).toEqual(['A0@mayfly.test', ...names.slice(1)])
    client.close()
  })

  it('processes a pipelined session in order, with few writes', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    let packets = 0
    client.socket.on('data', () => packets++)
    const message = `${MAIL}\r\nRCPT TO:<unknown@mayfly.test>\r\n${RCPT}\r\nDATA\r\nx\r\n.\r\n`
    client.send(`${HELLO}\r\n${message}${message}NOOP\r\nQUIT\r\n`)
    const codes = (await client.replies(20)).map((reply) => reply.slice(0, 3))
    expect(codes).toEqual('250 250 550 250 354 250 250 550 250 354 250 250 221'.split(' '))
    expect(packets).toBeLessThanOrEqual(4)
    expect(smtp.deliveries).toHaveLength(2)
  })

  it('sends the reply to a message before it looks up the recipients of the next one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { receive } = fakeReceive()
    let lookups = 0
    const accept: Receive['accept'] = async (recipient) => {
      if (++lookups === 2) await promise
      return receive.accept(recipient)
    }
    await using smtp = await startServer({}, { accept })
    const client = await RawClient.connect(smtp.port)
    await client.startData()
    client.send(`x\r\n.\r\n${MAIL}\r\n${RCPT}\r\n`)
    expect(await client.reply()).toMatch(/^250 2\.6\.0/)
    resolve()
    expect(await client.replies(2)).toEqual([expect.stringMatching(/^250/), expect.stringMatching(/^250/)])
    client.close()
  })

  it('pauses a client that keeps sending during a lookup', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { receive } = fakeReceive()
    const accept: Receive['accept'] = (recipient) => promise.then(() => receive.accept(recipient))
    const { client, socket, close } = await openSession({ maxCommands: 1e6 }, { accept })
    client.send(`${HELLO}\r\n${MAIL}\r\n${RCPT}\r\n${'NOOP\r\n'.repeat(50_000)}QUIT\r\n`)
    await until(() => socket.isPaused())
    resolve()
    const replies = await client.replies(60_000)
    expect(replies).toHaveLength(50_004)
    expect(replies.at(-1)).toMatch(/^221/)
    close()
  })

  it('refuses address literals without a lookup', async () => {
    const { receive } = fakeReceive()
    await using smtp = await startServer({}, { accept: () => receive.accept('a@mayfly.test') })
    const client = await RawClient.connect(smtp.port)
    expect((await talk(client, [HELLO, MAIL, 'RCPT TO:<a@[192.0.2.1]>'])).at(-1)).toMatch(/^550 5\.7\.1/)
    client.close()
  })

  it('refuses a message that is too big at its end, and continues', async () => {
    await using smtp = await startServer({ maxMessageBytes: 1000 })
    const client = await RawClient.connect(smtp.port)
    await client.startData()
    client.send('x'.repeat(900))
    for (let i = 0; i < 100; i++) client.send(`${'MAIL FROM:<s@example.org>\r\n'.repeat(100)}`)
    expect(await client.ask('\r\n.')).toMatch(/^552 5\.3\.4/)
    expect(await talk(client, [MAIL, RCPT, 'DATA'])).toEqual([
      expect.stringMatching(/^250/),
      expect.stringMatching(/^250/),
      expect.stringMatching(/^354/),
    ])
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
    expect(smtp.deliveries).toHaveLength(1)
    client.close()
  })

  it.each([
    [new MayflyError('mailbox_full'), /^452 4\.2\.2/],
    [new MayflyError('disk_full'), /^452 4\.3\.1/],
    [new MayflyError('store_unavailable'), /^451 4\.3\.0/],
    [new TypeError('secret@mayfly.test is undefined'), /^451 4\.3\.0/],
  ])('replies with the error of the delivery: %s', async (error, reply) => {
    await using smtp = await startServer({}, { deliver: () => Promise.reject(error) })
    const client = await RawClient.connect(smtp.port)
    await client.startData()
    expect(await client.ask('x\r\n.')).toMatch(reply)
    expect(await client.ask('NOOP')).toMatch(/^250/)
    const log = smtp.logs.join()
    expect(log.includes('TypeError')).toBe(error instanceof TypeError)
    expect(log).not.toMatch(/secret|127\.0\.0\.1/)
    client.close()
  })

  it('tells a client whose lookup fails to try again, not that the service stops', async () => {
    await using smtp = await startServer({}, { accept: () => Promise.reject(new MayflyError('unavailable')) })
    const client = await RawClient.connect(smtp.port)
    expect((await talk(client, [HELLO, MAIL, RCPT])).at(-1)).toMatch(/^451 4\.3\.0/)
    expect(await client.ask('NOOP')).toMatch(/^250/)
    client.close()
  })

  it('delivers to the other recipients if one is refused', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    await talk(client, [HELLO, MAIL, 'RCPT TO:<unknown@mayfly.test>', RCPT, 'DATA'])
    expect(await client.ask('x\r\n.')).toMatch(/^250/)
    expect(smtp.deliveries[0]?.recipients).toEqual(['a@mayfly.test'])
    client.close()
  })

  it('replies to a client that has closed its side', async () => {
    await using smtp = await startServer()
    const client = await RawClient.connect(smtp.port)
    await client.startData()
    client.socket.end('x\r\n.\r\n')
    expect(await client.reply()).toMatch(/^250/)
    expect(await client.rest()).toBe('')
  })

  it('receives messages from nodemailer, pooled, with attachments and dots', async () => {
    await using smtp = await startServer()
    const transport = createTransport({
      host: '127.0.0.1',
      port: smtp.port,
      pool: true,
      tls: { rejectUnauthorized: false },
    })
    const text = '.\n..\n. dots\nüñí\n'
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        transport.sendMail({
          from: 's@example.org',
          to: ['a@mayfly.test', 'ü@mayfly.test'],
          subject: `message ${i}`,
          text,
          attachments: [{ filename: 'a.bin', content: Buffer.alloc(100_000, i) }],
        }),
      ),
    )
    transport.close()
    expect(smtp.deliveries).toHaveLength(20)
    expect(smtp.deliveries[0]?.envelope.tls).toBe(true)
    expect(smtp.deliveries[0]?.recipients).toHaveLength(2)
  })
})
