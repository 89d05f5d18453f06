import { expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { fakeReceive, RawClient, startServer } from './testing.ts'

const SMALL = 1000
const BIG = 2000

/** `small…` take less than `big…`; who starts with `unknown` is not there. */
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
  /** A mail of so many bytes, its last line end included; answers the reply to its end. */
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
const APART = '452 4.5.3'

test('EHLO announces what those take who take most', async () => {
  await using server = await start()
  expect(server.ehlo).toContain(`250-SIZE ${BIG}\n`)
})

test.each([
  [BIG - 1, OK],
  [BIG, OK],
  [BIG + 1, TOO_BIG],
])('MAIL with SIZE=%i: %s', async (size, reply) => {
  await using server = await start()
  expect(await server.codes(`${MAIL} SIZE=${size}`)).toEqual([reply])
})

test.each([
  [SMALL - 1, RCPT_OK],
  [SMALL, RCPT_OK],
  [SMALL + 1, TOO_BIG],
])(
  'of a mail of %i bytes, said before: %s for those who take less, and it comes to the others',
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
])('of which nothing was said, for %s, %i bytes: %s', async (name, bytes, reply) => {
  await using server = await start()
  await server.codes(MAIL, to(name), to(`${name}2`))
  expect(await server.data(bytes)).toBe(reply)
  expect(server.deliveries).toHaveLength(reply === ACCEPTED ? 1 : 0)
  // And the session goes on.
  expect(await server.codes(MAIL, to('small'))).toEqual([OK, RCPT_OK])
  expect(await server.data(SMALL)).toBe(ACCEPTED)
})

test.each([
  ['nothing', '', 'small', 'big'],
  ['nothing', '', 'big', 'small'],
  ['a size of 0', ' SIZE=0', 'big', 'small'],
])('where MAIL says %s%s, %s and then %s are taken apart', async (_what, size, first, second) => {
  await using server = await start()
  const replies = await server.codes(MAIL + size, to(first), to(second), to(`${first}2`), to(second))
  expect(replies).toEqual([OK, RCPT_OK, APART, RCPT_OK, APART])
  const bytes = first === 'big' ? BIG : SMALL
  expect(await server.data(bytes)).toBe(ACCEPTED)
  expect(server.deliveries[0]?.recipients).toEqual([`${first}@mayfly.test`, `${first}2@mayfly.test`])
  // It comes again for the other.
  expect(await server.codes(MAIL + size, to(second))).toEqual([OK, RCPT_OK])
  expect(await server.data(SMALL)).toBe(ACCEPTED)
})

test('who is not taken says nothing of the limits of the others', async () => {
  await using server = await start()
  expect(await server.codes(MAIL, to('unknown'), to('full'), to('big'))).toEqual([
    OK,
    '550 5.1.1',
    '452 4.2.2',
    RCPT_OK,
  ])
  expect(await server.data(BIG)).toBe(ACCEPTED)
})

test('who says less than it is is cut off at what all of them take', async () => {
  await using server = await start()
  expect(await server.codes(`${MAIL} SIZE=10`, to('big'), to('small'))).toEqual([OK, RCPT_OK, RCPT_OK])
  expect(await server.data(SMALL + 1)).toBe(TOO_BIG)
  await server.codes(`${MAIL} SIZE=10`, to('big'))
  expect(await server.data(SMALL + 1)).toBe(ACCEPTED)
})

test('recipients that take less, or another transaction, are not guesses at names', async () => {
  await using server = await start({ maxRefusedRecipients: 1 })
  const refused = await server.codes(`${MAIL} SIZE=${BIG}`, ...Array.from({ length: 3 }, () => to('small')))
  expect(refused).toEqual([OK, TOO_BIG, TOO_BIG, TOO_BIG])
  expect(await server.codes('RSET', MAIL, to('big'), to('small'), to('small'))).toEqual([
    '250 2.0.0',
    OK,
    RCPT_OK,
    APART,
    APART,
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
