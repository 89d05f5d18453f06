import { expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { fakeReceive, RawClient, startServer } from './testing.ts'

const SMALL = 1000
const BIG = 2000

/** Recipients `small…` accept smaller messages than `big…`. `unknown…` does not exist, `full…` has no room. */
async function start(options = {}) {
  const { receive } = fakeReceive()
  const server = await startServer(
    { maxMessageBytes: BIG, ...options },
    {
      async accept(recipient) {
        if (recipient.startsWith('full')) throw new MayflyError('mailbox_full')
        return { ...(await receive.accept(recipient)), maxBytes: recipient.startsWith('small') ? SMALL : BIG }
      },
    },
  )
  const client = await RawClient.connect(server.port)
  const ehlo = await client.ask('EHLO client.example')
  const codes = async (...lines: string[]): Promise<string[]> => {
    const replies: string[] = []
    for (const line of lines) replies.push((await client.ask(line)).slice(0, 9).trim())
    return replies
  }
  /** Sends a message of `bytes` bytes, including its last line end, and returns the start of the reply. */
  const data = async (bytes: number): Promise<string> => {
    expect(await client.ask('DATA')).toMatch(/^354/)
    client.send(`${'x'.repeat(bytes - 2)}\r\n.\r\n`)
    return (await client.reply()).slice(0, 9)
  }
  return { ...server, client, ehlo, codes, data }
}

const MAIL = 'MAIL FROM:<s@example.org>'
const to = (name: string): string => `RCPT TO:<${name}@mayfly.test>`
const OK = '250 2.1.0'
const RCPT_OK = '250 2.1.5'
const ACCEPTED = '250 2.6.0'
const TOO_BIG = '552 5.3.4'
const OTHER_LIMIT = '452 4.5.3'

test('EHLO announces the largest size that any recipient accepts', async () => {
  await using server = await start()
  expect(server.ehlo).toContain(`250-SIZE ${BIG}\n`)
})

test.each([
  [BIG - 1, OK],
  [BIG, OK],
  [BIG + 1, TOO_BIG],
])('MAIL with SIZE=%i gets %s', async (size, reply) => {
  await using server = await start()
  expect(await server.codes(`${MAIL} SIZE=${size}`)).toEqual([reply])
})

test.each([
  [SMALL - 1, RCPT_OK],
  [SMALL, RCPT_OK],
  [SMALL + 1, TOO_BIG],
])(
  'with a declared size of %i bytes, a recipient with the smaller limit gets %s, the others are accepted',
  async (size, reply) => {
    await using server = await start()
    const replies = await server.codes(`${MAIL} SIZE=${size}`, to('big'), to('small'), to('big2'))
    expect(replies).toEqual([OK, RCPT_OK, reply, RCPT_OK])
    expect(await server.data(size)).toBe(ACCEPTED)
    const all = ['big@mayfly.test', 'small@mayfly.test', 'big2@mayfly.test']
    expect(server.deliveries[0]?.recipients).toEqual(all.filter((each) => reply === RCPT_OK || each !== all[1]))
  },
)

test.each([
  ['small', SMALL - 1, ACCEPTED],
  ['small', SMALL, ACCEPTED],
  ['small', SMALL + 1, TOO_BIG],
  ['big', BIG - 1, ACCEPTED],
  ['big', BIG, ACCEPTED],
  ['big', BIG + 1, TOO_BIG],
])('without a declared size, a message to %s of %i bytes gets %s', async (name, bytes, reply) => {
  await using server = await start()
  await server.codes(MAIL, to(name), to(`${name}2`))
  expect(await server.data(bytes)).toBe(reply)
  expect(server.deliveries).toHaveLength(reply === ACCEPTED ? 1 : 0)
  // The session continues.
  expect(await server.codes(MAIL, to('small'))).toEqual([OK, RCPT_OK])
  expect(await server.data(SMALL)).toBe(ACCEPTED)
})

test.each([
  ['no size', '', 'small', 'big'],
  ['no size', '', 'big', 'small'],
  ['a size of 0', ' SIZE=0', 'big', 'small'],
])('with %s in MAIL (%j), recipients %s and %s need two transactions', async (_what, size, first, second) => {
  await using server = await start()
  const replies = await server.codes(MAIL + size, to(first), to(second), to(`${first}2`), to(second))
  expect(replies).toEqual([OK, RCPT_OK, OTHER_LIMIT, RCPT_OK, OTHER_LIMIT])
  const bytes = first === 'big' ? BIG : SMALL
  expect(await server.data(bytes)).toBe(ACCEPTED)
  expect(server.deliveries[0]?.recipients).toEqual([`${first}@mayfly.test`, `${first}2@mayfly.test`])
  // The sender retries the other recipient.
  expect(await server.codes(MAIL + size, to(second))).toEqual([OK, RCPT_OK])
  expect(await server.data(SMALL)).toBe(ACCEPTED)
})

test('a refused recipient does not affect the size limit of the others', async () => {
  await using server = await start()
  expect(await server.codes(MAIL, to('unknown'), to('full'), to('big'))).toEqual([
    OK,
    '550 5.1.1',
    '452 4.2.2',
    RCPT_OK,
  ])
  expect(await server.data(BIG)).toBe(ACCEPTED)
})

test('a message larger than declared is refused beyond the smallest limit of its recipients', async () => {
  await using server = await start()
  expect(await server.codes(`${MAIL} SIZE=10`, to('big'), to('small'))).toEqual([OK, RCPT_OK, RCPT_OK])
  expect(await server.data(SMALL + 1)).toBe(TOO_BIG)
  await server.codes(`${MAIL} SIZE=10`, to('big'))
  expect(await server.data(SMALL + 1)).toBe(ACCEPTED)
})

test('recipients refused because of their size limit do not count as unknown recipients', async () => {
  await using server = await start({ maxRefusedRecipients: 1 })
  const refused = await server.codes(`${MAIL} SIZE=${BIG}`, ...Array.from({ length: 3 }, () => to('small')))
  expect(refused).toEqual([OK, TOO_BIG, TOO_BIG, TOO_BIG])
  expect(await server.codes('RSET', MAIL, to('big'), to('small'), to('small'))).toEqual([
    '250 2.0.0',
    OK,
    RCPT_OK,
    OTHER_LIMIT,
    OTHER_LIMIT,
  ])
  expect(server.counts.filter((each) => each.startsWith('smtp_refused_recipients'))).toEqual([
    ...Array(3).fill('smtp_refused_recipients 552'),
    ...Array(2).fill('smtp_refused_recipients 452'),
  ])
})

test('MAIL with a reverse-path of more than 256 octets is refused', async () => {
  await using server = await start()
  const mail = (octets: number) => `MAIL FROM:<${'a'.repeat(octets - 14)}@example.org>`
  expect(await server.codes(mail(257), mail(256))).toEqual(['501 5.1.7', OK])
})
