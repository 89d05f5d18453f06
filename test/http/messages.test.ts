import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
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
      'attachments authentication candidates code expiresAt from id link preview receivedAt seen size subject to unreadable'.split(
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
    ['has=money', /allowed values/],
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

describe('a message', () => {
  test.each([
    ['Tue, 1 Jul 2003 10:52:37 +0200', '2003-07-01T08:52:37.000Z'],
    ['not a date', null],
    [undefined, null],
  ])('with the date %s has %s', async (date, expected) => {
    const client = await createAddress(program.url)
    const raw = `From: a@sender.example\r\nSubject: dated\r\n${date ? `Date: ${date}\r\n` : ''}\r\nHello\r\n`
    await sendMail(program.smtpPort, { envelope: { from: 'a@sender.example', to: client.address }, raw })
    const [{ id }] = await arrived(client, 1)
    expect(await client.json(`${MESSAGES}/${id}`)).toMatchObject({ date: expected })
  })

  test('is read, marked and deleted', async () => {
    const client = await createAddress(program.url)
    await sendMail(program.smtpPort, verificationMail(client.address))
    const [{ id }] = await arrived(client, 1)
    const path = `${MESSAGES}/${id}`
    const whole = await client.json(path)
    expect(whole).toMatchObject({ id, code: '482913', hasRemoteContent: false })
    expect(whole.headers).toContainEqual({ name: 'Subject', value: 'Confirm your e-mail address' })
    expect((await client.json(path)).seen).toBe(false)
    expect(await (await client.send('PATCH', path, { seen: true })).json()).toMatchObject({ id, seen: true })
    expect(await (await client.send('PATCH', path, { seen: false })).json()).toMatchObject({ seen: false })
    for (const body of [{}, { seen: 'maybe' }, { seen: true, subject: 'x' }])
      expect((await client.send('PATCH', path, body)).status).toBe(400)
    expect((await client.send('DELETE', path)).status).toBe(204)
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { seen: true }]] as const)
      expect((await client.send(method, path, body)).status).toBe(404)
    expect((await client.get(`${path}/raw`)).status).toBe(404)
  })

  test('is marked as seen when its page is viewed, not when a browser prefetches it', async () => {
    const client = await createAddress(program.url)
    await send(client.address, 'look')
    const [{ id }] = await arrived(client, 1)
    const visit = async (method: string, headers = {}) => {
      const cookie = `mayfly_secret=${client.secret}`
      const response = await fetch(`${program.url}/?message=${id}`, { method, headers: { cookie, ...headers } })
      expect(response.status).toBe(200)
      return (await client.json(`${MESSAGES}/${id}`)).seen
    }
    expect(await visit('HEAD')).toBe(false)
    expect(await visit('GET', { 'sec-purpose': 'prefetch;prerender' })).toBe(false)
    expect(await visit('GET')).toBe(true)
  })

  test('of another address does not exist for any request', async () => {
    const stranger = await createAddress(program.url)
    const [{ id }] = (await owner.json(MESSAGES)).messages
    for (const [method, path, body] of [
      ['GET', ''],
      ['GET', '/raw'],
      ['GET', '/attachments/0'],
      ['PATCH', '', { seen: true }],
      ['DELETE', ''],
    ] as const) {
      const response = await stranger.send(method, `${MESSAGES}/${id}${path}`, body)
      expect([response.status, ((await response.json()) as any).code]).toEqual([404, 'message_not_found'])
    }
    expect((await owner.json(`${MESSAGES}/${id}`)).seen).toBe(false)
    // Neither in a frame nor on the page.
    for (const path of [`/frame/message?id=${id}`, `/?message=${id}`])
      expect(
        (await fetch(program.url + path, { headers: { cookie: `mayfly_secret=${stranger.secret}` } })).status,
      ).toBe(404)
  })

  test.each(['0', 'x'.repeat(64), '%00', '..%2f..', "'--"])('with the id %s does not exist: 404', async (id) =>
    expect((await owner.get(`${MESSAGES}/${id}`)).status).toBe(404),
  )

  test('raw returns the original bytes as a download', async () => {
    const client = await createAddress(program.url)
    await send(client.address, 'raw', { text: 'line one\n.dot\n\nend' })
    const [{ id, size }] = await arrived(client, 1)
    const response = await client.get(`${MESSAGES}/${id}/raw`)
    expect(response.headers.get('content-type')).toBe('message/rfc822')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="${id}.eml"; filename*=UTF-8''${id}.eml`,
    )
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    const raw = await response.text()
    expect(raw).toMatch(/\r\n\r\nline one\r\n\.dot\r\n\r\nend\r\n$/)
    expect(raw.length).toBeGreaterThanOrEqual(size)
  })

  test.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\x.exe', 'x.exe'],
    ['a"b;c.txt', 'a_b;c.txt'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['con.txt', '_con.txt'],
    ['．．／．．／etc／passwd', '．．／．．／etc／passwd'],
    ['a\r\nSet-Cookie: x=1.txt', null],
    [`${'long '.repeat(60)}.pdf`, null],
    ['%2e%2e%2fx', '%2e%2e%2fx'],
    ['Жук 文.txt', 'Жук 文.txt'],
    ['', null],
  ])('the attachment %j is downloaded as %j', async (filename, safe) => {
    const client = await createAddress(program.url)
    const content = Buffer.from('<script>alert(1)</script>')
    await send(client.address, 'file', { attachments: [{ filename, content, contentType: 'text/html' }] })
    const [message] = await arrived(client, 1)
    const response = await client.get(`${MESSAGES}/${message.id}/attachments/0`)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content)
    const disposition = response.headers.get('content-disposition') ?? ''
    expect(disposition).toMatch(/^attachment; filename="[ -~]*"; filename\*=UTF-8''[\w.!~%-]+$/)
    const name = decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')
    if (safe) expect(name).toBe(safe)
    expect(name).toMatch(/^[^\p{Cc}/\\]{1,150}$/u)
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('an unknown attachment: 404, an invalid index: 400', async () => {
    const client = await createAddress(program.url)
    await send(client.address, 'no file')
    const [{ id }] = await arrived(client, 1)
    expect((await client.get(`${MESSAGES}/${id}/attachments/0`)).status).toBe(404)
    for (const index of ['-1', 'x', '1e9'])
      expect((await client.get(`${MESSAGES}/${id}/attachments/${index}`)).status).toBe(400)
  })
})
