import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { RawClient } from '#smtp/testing.ts'
import { createAddress } from '#test/support/program/api.ts'
import { newDatabase } from '#test/support/program/postgres.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const PROXY = '127.0.0.9'
const KILOBYTE = 1024

/** Starts a session of a client at this address, as a proxy forwards it. */
async function session({ smtpPort }: Program, from: string): Promise<RawClient> {
  const client = await RawClient.connect(smtpPort, { greeting: false, localAddress: PROXY })
  client.send(`PROXY TCP4 ${from} 198.51.100.1 56160 25\r\n`)
  await client.reply()
  await client.ask('EHLO client.example')
  return client
}

/** Sends a message of this size. Returns the recipients that were accepted at RCPT, and the last reply. */
async function send(client: RawClient, bytes: number, recipients: string[], size = true) {
  const mail = await client.ask(`MAIL FROM:<s@example.org>${size ? ` SIZE=${bytes}` : ''}`)
  const accepted: string[] = []
  if (!mail.startsWith('250')) return { accepted, reply: mail.slice(0, 9) }
  for (const recipient of recipients)
    if ((await client.ask(`RCPT TO:<${recipient}>`)).startsWith('250')) accepted.push(recipient)
  let reply = await client.ask('DATA')
  if (reply.startsWith('354')) {
    const line = `${'x'.repeat(998)}\r\n`
    client.send(`Subject: large\r\n\r\n${line.repeat(Math.ceil(bytes / line.length))}`.slice(0, bytes - 2))
    client.send('\r\n.\r\n')
    reply = await client.reply()
  }
  if (!reply.startsWith('250')) await client.ask('RSET')
  return { accepted, reply: reply.slice(0, 9) }
}

describe('stores a large message for some recipients at a time', () => {
  let program: Program
  beforeAll(async () => {
    program = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_SMTP_COPIES_MAX_BYTES: '2MB' } })
  })
  afterAll(() => program.stop())

  test.each([
    ['a sender that declares the size', true],
    ['a sender that does not', false],
  ])('and %s reaches all by retrying', async (_, size) => {
    const owners = await Promise.all(Array.from({ length: 7 }, () => createAddress(program.url)))
    const client = await RawClient.connect(program.smtpPort)
    await client.ask('EHLO client.example')
    let waiting = owners.map(({ address }) => address)
    const rounds: number[] = []
    while (waiting.length > 0 && rounds.length < 7) {
      const { accepted, reply } = await send(client, 600 * KILOBYTE, waiting, size)
      rounds.push(reply === '250 2.6.0' ? accepted.length : 0)
      if (reply === '250 2.6.0') waiting = waiting.filter((each) => !accepted.includes(each))
    }
    expect(rounds).toEqual(size ? [3, 3, 1] : [0, 3, 3, 1])
    for (const owner of owners) expect((await owner.json('/api/v1/messages')).messages).toHaveLength(1)
  })
})

test('bytes that one node stored for a network count on other nodes', async () => {
  const database = await newDatabase(inject('postgres'))
  const env = {
    ...WITHOUT_LIMITS,
    MAYFLY_DATABASE_URL: database.url,
    MAYFLY_SECRET_KEY: randomBytes(32).toString('hex'),
    MAYFLY_SMTP_PROXIES: PROXY,
    MAYFLY_SMTP_BYTES_PER_HOUR: '100KB',
  }
  const [one, other] = [await startProgram({ env }), await startProgram({ env })]
  const { address } = await createAddress(one.url)
  const large = async (program: Program, from: string) =>
    (await send(await session(program, from), 90 * KILOBYTE, [address])).reply
  expect(await large(one, '192.0.2.1')).toBe('250 2.6.0')
  expect(await large(one, '192.0.2.1')).toBe('451 4.7.1')
  // Counts arrive with a delay. A small message would use the remaining bytes, so this asks only with MAIL.
  const asks = async () =>
    (await (await session(other, '192.0.2.1')).ask(`MAIL FROM:<> SIZE=${90 * KILOBYTE}`)).slice(0, 9)
  await expect.poll(asks, { timeout: 30_000 }).toBe('451 4.7.1')
  expect(await large(other, '192.0.2.2')).toBe('250 2.6.0')
  await Promise.all([one.stop(), other.stop()])
  await database.drop()
})
