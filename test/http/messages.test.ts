import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

let program: Program
let owner: ApiClient
beforeAll(async () => {
  program = await startProgram({
    env: {
      ...WITHOUT_LIMITS,
      MAYFLY_STREAMS_PER_IP_MAX: '3',
      MAYFLY_PAGE_MESSAGES: '3',
    },
  })
})
afterAll(() => program.stop())

const send = (to: string, subject: string, rest = {}) =>
  sendMail(program.smtpPort, { to, subject, text: subject, ...rest })
const MESSAGES = '/api/v1/messages'

async function arrived(client: ApiClient, count: number): Promise<any[]> {
  return expect
    .poll(async () => (await client.json(MESSAGES)).messages)
    .toHaveLength(count)
    .then(async () => (await client.json(MESSAGES)).messages)
}

describe('the list', () => {
  test('has all fields of a summary, newest first, and pages by next', async () => {
    owner = await createAddress(program.url)
    for (const subject of ['one', 'two', 'three', 'four']) await send(owner.address, subject)
    const first = await owner.json(MESSAGES)
    expect(first.messages.map(({ subject }: any) => subject)).toEqual(['four', 'three', 'two'])
    expect(Object.keys(first.messages[0]).toSorted()).toEqual(
      'attachments authentication candidates code expiresAt from id link preview receivedAt recipients seen size subject to unreadable'.split(
        ' ',
      ),
    )
    const second = await owner.json(`${MESSAGES}?before=${first.next}`)
    expect(second).toMatchObject({ messages: [{ subject: 'one' }], next: null })
    expect((await owner.json(`${MESSAGES}?after=${first.messages[1].id}`)).messages).toMatchObject([
      { subject: 'four' },
    ])
  })

  test('is filtered by parts of sender and subject', async () => {
    expect((await owner.json(`${MESSAGES}?subject=THR`)).messages).toMatchObject([{ subject: 'three' }])
    expect((await owner.json(`${MESSAGES}?from=harbour.EXAMPLE&subject=one`)).messages).toMatchObject([
      { subject: 'one' },
    ])
    expect((await owner.json(`${MESSAGES}?from=nobody`)).messages).toEqual([])
  })

  test('is filtered by recipient, body, contents and time, also with regular expressions', async () => {
    const client = await createAddress(program.url)
    const [login, domain] = client.address.split('@')
    await send(client.address, 'first', { text: 'Your code is 482913' })
    const [first] = await arrived(client, 1)
    const html = '<p>An <b>attached</b> report</p>'
    const attachments = [{ filename: 'report.csv', content: 'a,b' }]
    await send(`${login}+shop@${domain}`, 'Second', { text: undefined, html, attachments })
    await arrived(client, 2)
    const subjects = async (query: string) =>
      (await client.json(`${MESSAGES}?${query}`)).messages.map(({ subject }: any) => subject)
    for (const [query, expected] of [
      ['to=%2Bshop', ['Second']],
      ['body=482913', ['first']],
      ['body=/code%20is%20\\d%2B/', ['first']],
      ['body=ATTACHED', ['Second']],
      ['subject=/^sec/i', ['Second']],
      ['subject=/^sec/', []],
      ['has=code', ['first']],
      ['has=attachment', ['Second']],
      ['has=code&has=attachment', []],
      [`since=${first.receivedAt}`, ['Second', 'first']],
      ['since=2016-12-31T23:59:60Z', ['Second', 'first']],
      ['since=2050-12-31T23:59:60Z', []],
      [`since=${new Date(Date.parse(first.receivedAt) + 1).toISOString()}`, ['Second']],
    ] as const)
      expect([query, await subjects(query)]).toEqual([query, expected])
  })

  test.each([
    ['subjct=x', 'Unknown query parameter `subjct`. Did you mean `subject`?'],
    ['form=x', 'Unknown query parameter `form`. Did you mean `from`?'],
    ['quantity=2', /^Unknown query parameter `quantity`. Known are: `wait`, `after`/],
    ['subject=/(/', /^`subject`: not a valid regular expression: /],
    ['body=/(/', /^`body`: not a valid regular expression: /],
    ['since=yesterday', /date-time/],
    ['since=2026-02-30T00:00:00Z', /date-time/],
    ['has=money', /must be one of `code`/],
    ['count=0', />= 1/],
  ])('%s: 400 %s', async (query, detail) => {
    const response = await owner.get(`${MESSAGES}?${query}`)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_request' }])
    expect((await owner.json(`${MESSAGES}?${query}`)).detail).toMatch(detail)
  })

  test('explains why a wait ended without a match', async () => {
    const client = await createAddress(program.url)
    await send(client.address, 'Welcome')
    await arrived(client, 1)
    const { messages, explanation } = await client.json(`${MESSAGES}?wait=1&subject=code&has=code`)
    expect(messages).toEqual([])
    expect(explanation).toMatchObject({ unmatched: [{ subject: 'Welcome', unmet: ['subject', 'has'] }] })
    expect(explanation.text).toMatch(
      /^No matching message arrived within 1 s\. There are other messages: "Welcome" from .+ does not match `subject`, `has`\.$/,
    )
    expect((await client.json(`${MESSAGES}?wait=1&subject=welcome`)).explanation).toBeUndefined()
  })

  test.each([
    ['-1', 400],
    ['0', 200],
    ['60', 200],
    ['61', 400],
    ['', 400],
    ['1.5', 400],
    ['x', 400],
  ])('wait=%s: %i', async (wait, status) =>
    expect((await owner.get(`${MESSAGES}?wait=${wait}&subject=one`)).status).toBe(status),
  )
})

describe('after and before', () => {
  const problem = async (query: string) => {
    const answer = await owner.get(`${MESSAGES}?${query}`)
    return [answer.status, answer.headers.get('content-type'), ((await answer.json()) as any).code]
  }
  const REFUSED = [400, 'application/problem+json', 'invalid_request']
  const malformed = [
    '',
    'x',
    '0',
    'null',
    '0'.repeat(25),
    '0'.repeat(27),
    'U'.repeat(26),
    '%00',
    `${'0'.repeat(25)}%0A`,
  ]

  test.each(malformed)('an invalid id is refused: %j', async (id) => {
    for (const query of [`after=${id}`, `before=${id}`, `wait=30&after=${id}`])
      expect(await problem(query)).toEqual(REFUSED)
  })

  test('duplicates are refused', async () => {
    const [message] = (await owner.json(MESSAGES)).messages
    expect(await problem(`after=${message.id}&after=${message.id}`)).toEqual(REFUSED)
  })

  test('after is refused at once for a message that the address never had', async () => {
    const stranger = await createAddress(program.url)
    await send(stranger.address, 'elsewhere')
    const [elsewhere] = await arrived(stranger, 1)
    for (const id of [elsewhere.id, '0'.repeat(26), 'z'.repeat(26)])
      for (const query of [`after=${id}`, `wait=60&after=${id}`]) expect(await problem(query)).toEqual(REFUSED)
  })

  test('after may be a message that was deleted meanwhile', async () => {
    const client = await createAddress(program.url)
    await send(client.address, 'gone soon')
    const [message] = await arrived(client, 1)
    await client.send('DELETE', `${MESSAGES}/${message.id}`)
    const next = client.json(`${MESSAGES}?wait=30&after=${message.id}`)
    await send(client.address, 'next')
    expect((await next).messages).toMatchObject([{ subject: 'next' }])
  })
})

test('deletes several messages, but not those of another address', async () => {
  const client = await createAddress(program.url)
  for (const subject of ['one', 'two']) await send(client.address, subject)
  const [two, one] = await arrived(client, 2)
  const remove = async (body: object) => (await client.send('POST', `${MESSAGES}/delete`, body)).status
  expect(await remove({ ids: [one.id], address: owner.address })).toBe(401)
  await arrived(client, 2)
  expect(await remove({ ids: [one.id], address: client.address })).toBe(204)
  await arrived(client, 1)
  expect(await remove({ ids: [one.id, two.id] })).toBe(204)
  await arrived(client, 0)
})

test('deletes messages of an earlier address of the browser, but only for a page of the site', async () => {
  const client = await createAddress(program.url)
  await send(client.address, 'one')
  const [{ id }] = await arrived(client, 1)
  const minutes = Math.floor(Date.now() / 60_000).toString(36)
  const cookie = `mayfly_earlier=${encodeURIComponent(`${client.secret}~${minutes}~${client.address}`)}`
  const remove = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ ids: [id], address: client.address })
    const all = { cookie, 'content-type': 'application/json', ...headers }
    return (await fetch(`${program.url}${MESSAGES}/delete`, { method: 'POST', body, headers: all })).status
  }
  expect(await remove({})).toBe(401)
  expect(await remove({ origin: 'https://elsewhere.example' })).toBe(401)
  await arrived(client, 1)
  expect(await remove({ origin: program.url })).toBe(204)
  await arrived(client, 0)
})

describe('wait', () => {
  test('waits until a matching message arrives', async () => {
    const client = await createAddress(program.url)
    const waiting = client.json(`${MESSAGES}?wait=30&subject=second`)
    await send(client.address, 'first')
    await send(client.address, 'the second')
    expect((await waiting).messages).toMatchObject([{ subject: 'the second' }])
  })

  test('returns at once if there is one, and with after only for the next', async () => {
    const client = await createAddress(program.url)
    await send(client.address, 'here')
    const [message] = (await client.json(`${MESSAGES}?wait=30`)).messages
    expect(message.subject).toBe('here')
    const next = client.json(`${MESSAGES}?wait=30&after=${message.id}`)
    await send(client.address, 'next')
    expect((await next).messages).toMatchObject([{ subject: 'next' }])
  })

  test('returns an empty list when the time is over', async () => {
    const client = await createAddress(program.url)
    expect(await client.json(`${MESSAGES}?wait=1`)).toMatchObject({ messages: [], next: null })
  })

  test('allows three, refuses a fourth', async () => {
    const client = await createAddress(program.url)
    const refused = Promise.withResolvers<void>()
    const waiting = [1, 2, 3, 4].map(async () => {
      const { status } = await client.get(`${MESSAGES}?wait=20`)
      if (status === 429) refused.resolve()
      return status
    })
    await refused.promise
    await send(client.address, 'go')
    expect((await Promise.all(waiting)).toSorted()).toEqual([200, 200, 200, 429])
  })

  test('ends with the address', async () => {
    const client = await createAddress(program.url)
    const waiting = client.get(`${MESSAGES}?wait=30`)
    await client.get(MESSAGES)
    await client.send('DELETE', '/api/v1/address')
    expect((await waiting).status).toBe(401)
  })
})
