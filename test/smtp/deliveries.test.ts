import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RawClient } from '#smtp/testing.ts'
import { type ApiClient, call, createAddress } from '#test/support/program/api.ts'
import { EventReader } from '#test/support/program/event-stream.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const DELIVERIES = '/api/v1/deliveries'
const PROXY = '127.0.0.9'
const FROM = '192.0.2.77'
/** The largest message, the storage of an address, and the bytes that one network may send, in bytes. */
const SIZE = 20_000
const STORAGE = 30_000
const PER_HOUR = 200_000

let program: Program
beforeAll(async () => {
  program = await startProgram({
    env: {
      ...WITHOUT_LIMITS,
      MAYFLY_SMTP_PROXIES: PROXY,
      MAYFLY_MESSAGE_MAX_BYTES: String(SIZE),
      MAYFLY_PREMIUM_MESSAGE_MAX_BYTES: String(10 * SIZE),
      MAYFLY_ADDRESS_STORAGE_BYTES: String(STORAGE),
      MAYFLY_SMTP_BYTES_PER_HOUR: String(PER_HOUR),
    },
  })
})
afterAll(() => program.stop())

/** A sending server at `from`, as a proxy forwards it. */
async function server(from = FROM): Promise<RawClient> {
  const client = await RawClient.connect(program.smtpPort, { greeting: false, localAddress: PROXY })
  client.send(`PROXY TCP4 ${from} 198.51.100.1 56160 25\r\n`)
  await client.reply()
  await client.ask('EHLO mail.shop.example')
  return client
}

const MAIL = 'MAIL FROM:<bounce+someone@shop.example>'
const to = ({ address }: ApiClient): string => `RCPT TO:<${address}>`

async function askAll(client: RawClient, ...lines: string[]): Promise<string> {
  let reply = ''
  for (const line of lines) reply = await client.ask(line)
  return reply
}

/** Sends a message of about this many bytes, after RCPT. Returns the reply. */
async function data(client: RawClient, bytes = 100, head = ''): Promise<string> {
  await client.ask('DATA')
  const line = `${'x'.repeat(98)}\r\n`
  client.send(`From: Shop <news@shop.example>\r\nSubject: hello\r\n${head}\r\n${line.repeat(bytes / 100)}.\r\n`)
  return client.reply()
}

/** Resolves with the list as soon as it has these results. */
async function listed(owner: ApiClient, results: string[]): Promise<any[]> {
  await expect
    .poll(async () => (await owner.json(DELIVERIES)).deliveries.map(({ result }: any) => result))
    .toEqual(results)
  return (await owner.json(DELIVERIES)).deliveries
}

const failed = {
  count: 1,
  server: { name: 'mail.shop.example', network: '192.0.2.0/24' },
  senderDomain: 'shop.example',
  verifiedDomain: null,
  messageId: null,
}

describe('what the owner sees', () => {
  test('of a received message, and of one that is deleted', async () => {
    const owner = await createAddress(program.url)
    expect(await owner.json(DELIVERIES)).toEqual({
      since: (await owner.json('/api/v1/address')).createdAt,
      deliveries: [],
    })
    const client = await server()
    await askAll(client, MAIL, to(owner))
    await data(client)
    const [message] = (await owner.json('/api/v1/messages')).messages
    const [delivery] = await listed(owner, ['received'])
    const { id, receivedAt, size } = message
    const expected = { ...failed, at: receivedAt, firstAt: receivedAt, result: 'received', size, messageId: id }
    expect(delivery).toEqual({ ...expected, reply: '250 2.6.0 Message accepted' })
    await owner.send('DELETE', `/api/v1/messages/${id}`)
    const [deleted] = await listed(owner, ['deleted'])
    expect(deleted).toMatchObject({ server: null, senderDomain: null, size: null, messageId: null })
    expect(Math.abs(Date.parse(deleted.at) - Date.parse(receivedAt))).toBeLessThan(1000)
    client.close()
  })

  test('of a message that declares a size that is too large, and of one that turns out to be', async () => {
    const owner = await createAddress(program.url)
    const client = await server()
    expect(await askAll(client, `${MAIL} SIZE=${SIZE + 1}`, to(owner))).toMatch(/^552/)
    await askAll(client, 'RSET', MAIL, to(owner))
    expect(await data(client, SIZE + 1000)).toMatch(/^552/)
    const [delivery] = await listed(owner, ['too-large'])
    expect(delivery).toMatchObject({ ...failed, count: 2, reply: '552 5.3.4 Message too big' })
    client.close()
  })

  test('of a full mailbox, at the end of DATA and at RCPT', async () => {
    const [owner, other] = [await createAddress(program.url), await createAddress(program.url)]
    const client = await server('192.0.3.77')
    await askAll(client, MAIL, to(owner))
    expect(await data(client, 18_000)).toMatch(/^250/)
    await askAll(client, MAIL, to(owner))
    expect(await data(client, 18_000)).toMatch(/^452/)
    const [delivery, message] = await listed(owner, ['full', 'received'])
    expect(delivery).toMatchObject({ reply: '452 4.2.2 Mailbox full', count: 1 })
    expect(delivery.size).toBeGreaterThan(17_000)
    expect(message.size).toBeGreaterThan(17_000)
    // A message to several mailboxes may exceed the storage of one.
    await askAll(client, MAIL, to(owner), to(other))
    expect(await data(client, 18_000)).toMatch(/^250/)
    expect(await askAll(client, MAIL, to(owner))).toMatch(/^452/)
    await expect
      .poll(async () => (await owner.json(DELIVERIES)).deliveries)
      .toContainEqual(expect.objectContaining({ result: 'full', count: 2 }))
    client.close()
  })

  test('of a sender that has to wait', async () => {
    const owner = await createAddress(program.url)
    const client = await server('192.0.4.77')
    await askAll(client, MAIL, to(owner))
    // Uses the allowance of the network up, with messages that are refused only after they were counted.
    const others = await Promise.all(Array.from({ length: 12 }, () => createAddress(program.url)))
    await client.ask('RSET')
    for (const other of others) {
      await askAll(client, MAIL, to(other))
      await data(client, 18_000)
    }
    await askAll(client, 'RSET', MAIL, to(owner))
    expect(await data(client, 18_000)).toMatch(/^451/)
    const list = await listed(owner, ['deferred', 'unsent'])
    expect(list[0]).toMatchObject({ reply: '451 4.7.1 Too much mail from your network, try again later' })
    client.close()
  })

  test('of a message that breaks a rule', async () => {
    const owner = await createAddress(program.url)
    const client = await server()
    await askAll(client, MAIL, to(owner))
    expect(await data(client, 100, 'Received: from loop\r\n'.repeat(101))).toMatch(/^554/)
    const [delivery] = await listed(owner, ['refused'])
    expect(delivery).toMatchObject({ ...failed, reply: '554 5.4.6 Too many hops, this mail is in a loop' })
    client.close()
  })

  test('of a connection that ended during DATA', async () => {
    const owner = await createAddress(program.url)
    const client = await server()
    await askAll(client, `${MAIL} SIZE=500`, to(owner), 'DATA')
    client.send('Subject: half\r\n')
    client.close()
    const [delivery] = await listed(owner, ['interrupted'])
    expect(delivery).toMatchObject({ ...failed, reply: null, size: 500 })
  })

  test.each([
    ['RSET', (client: RawClient) => client.ask('RSET')],
    ['QUIT', (client: RawClient) => client.ask('QUIT')],
    ['EHLO', (client: RawClient) => client.ask('EHLO mail.shop.example')],
    ['the end of the connection', async (client: RawClient) => client.close()],
  ])('of a server that names the address and then sends nothing: %s', async (_how, end) => {
    const owner = await createAddress(program.url)
    const client = await server()
    await askAll(client, 'MAIL FROM:<>', to(owner))
    await end(client)
    const [delivery] = await listed(owner, ['unsent'])
    expect(delivery).toMatchObject({ ...failed, senderDomain: null, reply: null, size: null })
    client.close()
  })
})

test('identical attempts are one row with a count, however many there are', async () => {
  const owner = await createAddress(program.url)
  const client = await server()
  await client.ask(`${MAIL} SIZE=${SIZE + 1}`)
  for (let i = 0; i < 300; i++) client.send(`${to(owner)}\r\n`)
  await client.replies(300)
  await expect.poll(async () => (await owner.json(DELIVERIES)).deliveries).toMatchObject([{ count: 300 }])
  const [{ at, firstAt }] = (await owner.json(DELIVERIES)).deliveries
  expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(firstAt))
  client.close()
})

test('the stream tells of a failed delivery', async () => {
  const owner = await createAddress(program.url)
  const events = new EventReader(await owner.get('/api/v1/events'))
  const client = await server()
  await askAll(client, `${MAIL} SIZE=${SIZE + 1}`, to(owner))
  await expect.poll(() => events.of('deliveries')).toEqual([{}])
  await listed(owner, ['too-large'])
  events.close()
  client.close()
})

test('nothing is stored about an address that does not exist, not even for one that is created later', async () => {
  const login = `later-${Date.now()}`
  const client = await server()
  await askAll(client, MAIL)
  expect(await client.ask(`RCPT TO:<${login}@mayfly.test>`)).toMatch(/^550/)
  const owner = await createAddress(program.url, { login })
  // A later failure of another address is stored after everything that waited before.
  const other = await createAddress(program.url)
  await askAll(client, 'RSET', MAIL, to(other), 'RSET')
  await listed(other, ['unsent'])
  const { since, deliveries } = await owner.json(DELIVERIES)
  expect(deliveries).toEqual([])
  expect(Date.parse(since)).toBeGreaterThan(Date.now() - 60_000)
  client.close()
})

test('only the owner reads the list', async () => {
  const owner = await createAddress(program.url)
  expect((await fetch(program.url + DELIVERIES)).status).toBe(401)
  expect((await call(program.url, 'GET', DELIVERIES, undefined, 'x'.repeat(43))).status).toBe(401)
  await owner.send('DELETE', '/api/v1/address')
  expect((await owner.get(DELIVERIES)).status).toBe(401)
})
