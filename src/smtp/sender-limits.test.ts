import { describe, expect, test } from 'vitest'
import { MayflyError, SmtpRefusal } from '#core/errors.ts'
import type { SmtpOptions } from './options.ts'
import { SenderLimits } from './sender-limits.ts'
import { connectFrom, PROXY, RawClient, REFUSED, startServer } from './testing.ts'

const ACCEPTED = '250 2.6.0'
const RCPT_OK = '250 2.1.5'
const TOO_MANY = '452 4.5.3'
const LATER = '451 4.7.1'

type Overrides = Parameters<typeof startServer>[1]

/** Starts a server behind a proxy that names the clients. */
const start = (options: Partial<SmtpOptions> = {}, overrides?: Overrides) =>
  startServer({ proxies: [PROXY], ...options }, overrides)

async function session(port: number, from: string) {
  const client = await connectFrom(port, from)
  await client.reply()
  await client.ask('EHLO client.example')
  /** Sends lines and returns the first 9 characters of each reply. */
  const ask = async (...lines: string[]): Promise<string[]> => {
    const replies: string[] = []
    for (const line of lines) replies.push((await client.ask(line)).slice(0, 9))
    return replies
  }
  const mail = (size?: number) => `MAIL FROM:<s@example.org>${size === undefined ? '' : ` SIZE=${size}`}`
  const to = (...names: string[]) => names.map((name) => `RCPT TO:<${name}@mayfly.test>`)
  /** Sends a message of `bytes` bytes. Returns the replies to RCPT, to DATA and to its end. */
  const send = async (bytes: number, names: string[], size?: number): Promise<string[]> => {
    const replies = await ask(mail(size), ...to(...names), 'DATA')
    if (!replies.at(-1)?.startsWith('354')) return replies.slice(1)
    client.send(`${'x'.repeat(bytes - 2)}\r\n.\r\n`)
    return [...replies.slice(1), (await client.reply()).slice(0, 9)]
  }
  return { client, ask, mail, to, send }
}

const lastOf = (replies: string[]): string => replies.at(-1) ?? ''

describe('one message to many recipients', () => {
  const options = { maxCopiesBytes: 3000 }

  test.each([
    [999, 3],
    [1000, 3],
    [1001, 2],
    [3000, 1],
    [9000, 1],
  ])('of %i bytes is accepted for %i of them, and for the others in a retry', async (bytes, copies) => {
    await using smtp = await start(options)
    const { send } = await session(smtp.port, '192.0.2.1')
    let remaining = ['a', 'b', 'c', 'd', 'e']
    while (remaining.length > 0) {
      const replies = await send(bytes, remaining, bytes)
      const accepted = replies.slice(0, remaining.length).map((reply) => reply === RCPT_OK)
      expect(accepted).toEqual(remaining.map((_, index) => index < copies))
      expect(replies.slice(remaining.length)).toEqual(['354 Start', ACCEPTED])
      expect(new Set(replies.slice(copies, remaining.length))).toEqual(
        new Set(remaining.length > copies ? [TOO_MANY] : []),
      )
      remaining = remaining.slice(copies)
    }
    expect(smtp.deliveries.flatMap(({ recipients }) => recipients)).toHaveLength(5)
  })

  test.each([
    ['no size', undefined],
    ['a wrong size', 1],
  ])('with %s is refused once, and reaches all recipients in retries', async (_, size) => {
    await using smtp = await start(options)
    const first = await session(smtp.port, '2001:db8::1')
    expect(lastOf(await first.send(1001, ['a', 'b', 'c'], size))).toBe(TOO_MANY)
    expect(smtp.deliveries).toEqual([])
    const retry = await session(smtp.port, '2001:db8::2')
    expect(await retry.send(1001, ['a', 'b', 'c'], size)).toEqual([RCPT_OK, RCPT_OK, TOO_MANY, '354 Start', ACCEPTED])
    expect(await retry.send(1001, ['c'], size)).toEqual([RCPT_OK, '354 Start', ACCEPTED])
    expect(smtp.deliveries.map(({ recipients }) => recipients.length)).toEqual([2, 1])
    const other = await session(smtp.port, '2001:db8:9::1')
    expect(lastOf(await other.send(1000, ['a', 'b', 'c'], size))).toBe(ACCEPTED)
  })

  test('counts two addresses of one mailbox once', async () => {
    await using smtp = await start(options)
    const { send } = await session(smtp.port, '192.0.2.1')
    expect(await send(3000, ['a', 'A', 'a'], 3000)).toEqual([RCPT_OK, RCPT_OK, RCPT_OK, '354 Start', ACCEPTED])
  })
})

describe('bytes per hour', () => {
  const options = { maxBytesPerHour: 10_000 }

  test('count every stored copy, and beyond them messages are deferred', async () => {
    await using smtp = await start(options)
    const { send, ask, mail } = await session(smtp.port, '192.0.2.1')
    expect(lastOf(await send(2000, ['a', 'b', 'c', 'd']))).toBe(ACCEPTED)
    expect(await ask(mail(1900), 'RSET', mail(3000))).toEqual(['250 2.1.0', '250 2.0.0', LATER])
    // The size is declared, so the message is refused before it is sent.
    expect(lastOf(await send(1500, ['a', 'b'], 1500))).toBe(LATER)
    await ask('RSET')
    expect(lastOf(await send(1500, ['a', 'b']))).toBe(LATER)
    expect(lastOf(await send(1990, ['a']))).toBe(ACCEPTED)
    expect(smtp.deliveries).toHaveLength(2)
  })

  test('count a message to return paths once, although it is not stored', async () => {
    await using smtp = await start(options, {
      async accept(recipient) {
        return { recipient, jobId: recipient, maxBytes: 1e6 }
      },
    })
    const { send, ask, mail } = await session(smtp.port, '192.0.2.1')
    expect(lastOf(await send(6000, ['a', 'b']))).toBe(ACCEPTED)
    expect(lastOf(await send(3900, ['a'], 3900))).toBe(ACCEPTED)
    expect(await ask(mail(3000))).toEqual([LATER])
    expect(lastOf(await send(3000, ['a', 'b']))).toBe(LATER)
  })

  test('are counted per network', async () => {
    await using smtp = await start(options)
    expect(lastOf(await (await session(smtp.port, '2001:db8::1')).send(9000, ['a']))).toBe(ACCEPTED)
    expect(lastOf(await (await session(smtp.port, '2001:db8::2')).send(3000, ['a']))).toBe(LATER)
    expect(lastOf(await (await session(smtp.port, '2001:db8:0:1::2')).send(3000, ['a']))).toBe(ACCEPTED)
    expect(lastOf(await (await session(smtp.port, '192.0.2.1')).send(3000, ['a']))).toBe(ACCEPTED)
  })

  test.each([
    ['disk_full', '452 4.3.1', ACCEPTED],
    ['store_unavailable', '451 4.3.0', ACCEPTED],
    ['internal', '451 4.3.0', ACCEPTED],
    ['mailbox_full', '452 4.2.2', LATER],
    ['message_too_big', '552 5.3.4', LATER],
    ['recipient_unknown', '550 5.1.1', LATER],
  ] as const)('do not count messages that were not stored through a fault of ours: %s', async (code, reply, next) => {
    let fails = true
    await using smtp = await start(options, {
      async deliver() {
        if (fails) throw new MayflyError(code)
      },
    })
    const { send } = await session(smtp.port, '192.0.2.1')
    expect(lastOf(await send(9000, ['a']))).toBe(reply)
    fails = false
    expect(lastOf(await send(9000, ['a']))).toBe(next)
  })

  test('count a message that the owner of an address had refused, and one whose client has left', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let messages = 0
    await using smtp = await start(options, {
      async deliver(_envelope, _recipients, _raw, signal) {
        if (++messages === 1) throw new SmtpRefusal('451 4.3.0 As you wished')
        resolve()
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    const { send, client } = await session(smtp.port, '192.0.2.1')
    expect(lastOf(await send(4000, ['a']))).toBe('451 4.3.0')
    void send(4000, ['a'])
    await promise
    client.socket.resetAndDestroy()
    const next = await session(smtp.port, '192.0.2.1')
    await expect.poll(() => next.ask('RSET', next.mail(3000))).toEqual(['250 2.0.0', LATER])
  })

  test('are not limited for clients on this machine', async () => {
    await using smtp = await start(options)
    const client = await RawClient.connect(smtp.port)
    for (let i = 0; i < 3; i++) {
      await client.startData()
      expect(await client.ask(`${'x'.repeat(9000)}\r\n.`)).toMatch(/^250/)
    }
  })
})

test('limits unknown recipients per hour and network, across sessions', async () => {
  await using smtp = await start({ maxRefusedRecipientsPerHour: 5 })
  const attempts = (count: number, from: string) =>
    session(smtp.port, from).then(({ ask, mail, to }) =>
      ask(mail(), ...to(...Array.from({ length: count }, (_, n) => `unknown${n}`))),
    )
  expect(await attempts(3, '192.0.2.1')).toEqual(['250 2.1.0', '550 5.1.1', '550 5.1.1', '550 5.1.1'])
  expect(await attempts(3, '192.0.2.1')).toEqual(['250 2.1.0', '550 5.1.1', '550 5.1.1', REFUSED])
  const { ask, mail } = await session(smtp.port, '192.0.2.1')
  expect(await ask(mail())).toEqual([LATER])
  expect(await attempts(1, '192.0.2.2')).toEqual(['250 2.1.0', '550 5.1.1'])
})

test('a refusal that the owner of an address chose counts as no unknown recipient', async () => {
  const accept = async (): Promise<never> => {
    throw new SmtpRefusal('550 5.1.1 As you wished')
  }
  await using smtp = await start({ maxRefusedRecipientsPerHour: 5, maxRefusedRecipients: 3 }, { accept })
  const { ask, mail, to } = await session(smtp.port, '192.0.2.1')
  const codes = await ask(mail(), ...to(...Array.from({ length: 20 }, () => 'faulty')))
  expect(codes).toEqual(['250 2.1.0', ...Array(20).fill('550 5.1.1')])
  expect(await ask('RSET', mail())).toEqual(['250 2.0.0', '250 2.1.0'])
})

test('remembers the size of a message that was too large for an hour, for ten thousand senders', () => {
  const time = { now: 0 }
  const limits = new SenderLimits(
    { maxBytesPerHour: 1, maxRefusedRecipientsPerHour: 1, maxConnectionsPerAddress: 1 },
    () => time.now,
  )
  const sender = limits.of('192.0.2.1')
  sender.tooLargeForAll(500)
  expect([sender.expectedSize(0), sender.expectedSize(600), limits.of('192.0.2.2').expectedSize(0)]).toEqual([
    500, 600, 0,
  ])
  time.now = 3_600_000
  expect(sender.expectedSize(0)).toBe(0)
  sender.tooLargeForAll(500)
  for (let i = 0; i < 10_000; i++) limits.of(`10.0.${Math.floor(i / 256)}.${i % 256}`).tooLargeForAll(1)
  expect(sender.expectedSize(0)).toBe(0)
})
