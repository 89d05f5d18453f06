import { expect, it } from 'vitest'
import { RawClient, startServer, until } from './testing.ts'

/** Mulberry32. Returns the same numbers for the same seed, so that a failure can be reproduced. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const SESSION = [
  'EHLO client.example\r\nMAIL FROM:<s@example.org> SIZE=100\r\nRCPT TO:<a@mayfly.test>\r\nRCPT TO:<unknown@mayfly.test>\r\n',
  'DATA\r\n..Subject: x\r\n\r\n.\r\r\n.\n.\r.\r\n..\r\n\0\n\r\n.\r\nWHAT\r\nNO\rOP\r\nNOOP ',
  `${'x'.repeat(3000)}\r\nMAIL FROM:<"a b>"@example.org>\r\nRCPT TO:<b@mayfly.test>\r\nDATA\r\n.\r\n`,
  `MAIL FROM:<>\r\nRCPT TO:<c@mayfly.test>\r\nDATA\r\n${'y'.repeat(2000)}\r\n.\r\nRSET\r\nQUIT\r\n`,
].join('')

/** Sends the session in these chunks. Returns all replies and messages. */
async function outcome(chunks: string[]) {
  await using smtp = await startServer({ maxMessageBytes: 1000 })
  const client = await RawClient.connect(smtp.port)
  for (const chunk of chunks) {
    client.send(chunk)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const replies = await client.replies(100)
  return { replies, messages: smtp.deliveries.map(({ message, recipients }) => [recipients, message]) }
}

it('a session has the same result however its bytes are split into packets', async () => {
  const random = randomFrom(1)
  const whole = await outcome([SESSION])
  expect(whole.replies.map((reply) => reply.slice(0, 3)).join(' ')).toBe(
    '250 250 250 550 354 250 500 500 500 250 250 354 250 250 250 354 552 250 221',
  )
  // The end of the overlong line is split too, which random chunks rarely do.
  expect(await outcome(SESSION.split(/(?<=\r)/))).toEqual(whole)
  for (let round = 0; round < 60; round++) {
    const chunks: string[] = []
    const longest = [3, 30, 300, 3000][round % 4] ?? 3
    for (let at = 0; at < SESSION.length;) {
      const length = 1 + random(longest)
      chunks.push(SESSION.slice(at, at + length))
      at += length
    }
    expect(await outcome(chunks)).toEqual(whole)
  }
})

const WORDS = [
  ...'EHLO x|HELO x|MAIL FROM:<s@example.org>|RCPT TO:<a@mayfly.test>|DATA|RSET|NOOP|QUIT|VRFY a|STARTTLS'.split('|'),
  ...'.|\r\n|\r\n|\r\n.\r\n|\n|\r|\0|<|>|"|\\|@| SIZE=1|\xff\xfe|\x16\x03\x01'.split('|'),
]

const INTO_DATA = 'EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<a@mayfly.test>\r\nDATA\r\n'

it('survives four thousand hostile sessions and releases their connections and memory', async () => {
  const random = randomFrom(2)
  await using smtp = await startServer({ maxMessageBytes: 20_000, commandTimeout: 200, dataTimeout: 200, linger: 50 })

  async function attack(): Promise<void> {
    const client = await RawClient.connect(smtp.port, { greeting: random(4) > 0 })
    if (random(2) === 0) client.send(random(2) === 0 ? INTO_DATA : 'EHLO x\r\n')
    const packets = 1 + random(4)
    for (let i = 0; i < packets; i++) {
      const grammatical = random(3) > 0
      const parts = Array.from({ length: random(20) }, () =>
        grammatical ? `${WORDS[random(WORDS.length)]}${random(3) > 0 ? '\r\n' : ''}` : String.fromCharCode(random(256)),
      )
      client.send(random(50) === 0 ? 'z'.repeat(30_000) : parts.join(''))
    }
    if (random(2) === 0) client.close()
    else client.socket.end()
    await client.rest()
  }
  async function attacker(): Promise<void> {
    for (let i = 0; i < 100; i++) await attack()
  }
  await Promise.all(Array.from({ length: 40 }, attacker))

  await until(() => smtp.gauges['smtp_connections_open'] === 0 && smtp.gauges['smtp_buffered_bytes'] === 0)
  // The sessions have reached delivery, refusal and handshake.
  expect(smtp.deliveries.length).toBeGreaterThan(100)
  expect(smtp.counts).toContain('smtp_messages 552')
  expect(smtp.counts).toContain('smtp_tls_handshakes failed')
  expect(smtp.logs.filter((line) => line.includes('Unexpected'))).toEqual([])
  const client = await RawClient.connect(smtp.port)
  await client.startData()
  expect(await client.ask('x\r\n.')).toMatch(/^250/)
  client.close()
})
