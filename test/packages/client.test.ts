import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import {
  type AddressState,
  createInbox,
  deleteInboxes,
  type Inbox,
  type InboxEvent,
  MayflyError,
  type Message,
  type MessageChecks,
  type MessageList,
  openInbox,
  type Problem,
  WaitTimeoutError,
} from '#client/index.ts'
import type { AddressJson } from '#contract/addresses.ts'
import type { MessageChecksJson } from '#contract/checks.ts'
import type { MessageJson, MessageListJson } from '#contract/messages.ts'
import type { ProblemJson } from '#contract/problems.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

let program: Program
let inbox: Inbox
beforeAll(async () => {
  program = await startProgram({ env: WITHOUT_LIMITS })
  inbox = await createInbox({ url: `${program.url}/` })
})
afterAll(() => program.stop())

const send = (subject: string, text = subject, rest = {}) =>
  sendMail(program.smtpPort, { to: inbox.address, subject, text, ...rest })

test('has the types of the API', () => {
  expectTypeOf<Message>().toEqualTypeOf<MessageJson>()
  expectTypeOf<MessageList>().toEqualTypeOf<MessageListJson>()
  expectTypeOf<MessageChecks>().toEqualTypeOf<MessageChecksJson>()
  expectTypeOf<AddressState>().toEqualTypeOf<AddressJson>()
  // The client also makes problems of what proxies say.
  expectTypeOf<ProblemJson>().toExtend<Problem>()
})

test('creates an address with a chosen name, and opens it by its secret', async () => {
  const chosen = await createInbox({
    url: program.url,
    login: 'client.test',
    domain: 'dayfly.test',
    lifetime: 'ten-minutes',
  })
  expect(chosen.address).toBe('client.test@dayfly.test')
  expect(await chosen.state()).toMatchObject({ address: chosen.address, lifetime: 'ten-minutes' })
  const again = await openInbox(chosen.secret, { url: program.url })
  expect(again.address).toBe(chosen.address)
  expect((await fetch(again.url)).status).toBe(200)
})

test('`await using` deletes the inbox, and does not fail if it is gone', async () => {
  const stateOf = ({ secret }: Inbox) => openInbox(secret, { url: program.url })
  let own: Inbox
  {
    await using kept = await createInbox({ url: program.url })
    own = kept
  }
  await expect(stateOf(own)).rejects.toMatchObject({ code: 'unauthorized' })
  {
    await using deleted = await createInbox({ url: program.url })
    await deleted.delete()
    await expect(deleted.delete()).rejects.toMatchObject({ code: 'unauthorized' })
  }
  const unreachable = await openInbox(own.secret, { url: 'http://127.0.0.1:9', address: own.address })
  await expect(unreachable[Symbol.asyncDispose]()).rejects.toThrow('No service responds')
})

test('an API key deletes the inboxes that it created', async () => {
  await expect(deleteInboxes({ url: program.url, apiKey: '' })).rejects.toMatchObject({ code: 'key_invalid' })
  const requests: unknown[] = []
  const fetch = async (url: URL | RequestInfo, { method, headers }: RequestInit = {}): Promise<Response> => {
    requests.push([method, String(url), new Headers(headers).get('x-api-key')])
    return new Response(null, { status: 204 })
  }
  await deleteInboxes({ url: 'https://mayfly.example/', apiKey: 'mfk_1', fetch })
  expect(requests).toEqual([['DELETE', 'https://mayfly.example/api/v1/key/addresses', 'mfk_1']])
  await deleteInboxes({ url: 'https://mayfly.example/', apiKey: '', fetch })
  expect(requests.at(-1)).toEqual(['DELETE', 'https://mayfly.example/api/v1/key/addresses', null])
  await expect(deleteInboxes({ apikey: 'mfk_1' } as never)).rejects.toThrow('apiKey')
})

test('an inbox as JSON has no secret', async () => {
  const own = await createInbox({ url: program.url, lifetime: 'ten-minutes' })
  const { address, expiresAt } = await openInbox(own.secret, { url: program.url }).then((again) => again.state())
  expect(JSON.parse(JSON.stringify({ own }))).toEqual({ own: { address, expiresAt } })
  const unasked = await openInbox(own.secret, { url: program.url, address })
  expect(JSON.parse(JSON.stringify(unasked))).toEqual({ address })
  const extended = await unasked.extend()
  expect(JSON.parse(JSON.stringify(unasked))).toEqual({ address, expiresAt: extended.expiresAt })
  await own.delete()
})

describe('waiting', () => {
  test('returns the message, its code and its link', async () => {
    const link = 'https://shop.example/confirm?token=Zk3vQ9x7Lm2pR8sT'
    const waiting = inbox.waitForMessage({ subject: /^confirm/i, from: 'harbour' })
    await send('Newsletter')
    await send('Confirm your address', `Your verification code is 482913\n\nOr confirm your address here:\n${link}\n`)
    expect(await waiting).toMatchObject({ subject: 'Confirm your address', code: '482913' })
    expect((await waiting).text).toContain('verification code')
    expect(await inbox.waitForCode({ body: 'confirm your' })).toBe('482913')
    expect(await inbox.waitForLink({ subject: 'address' })).toBe(link)
  })

  test.each([
    [/^caf\u00e9 \u{1F600}$/u, true],
    [/\ud83d\ude00$/, true],
    [/^caf[\u00e8-\u00EA] [^]+$/, true],
    [new RegExp(String.raw`\CAFÉ[^\][]+$`, 'i'), true],
    [/^.[\b\cJ]/, false],
    [/^CAFÉ/, false],
    [/É .$/gimsu, true],
  ])('%s runs on the service as it runs here', async (subject, expected) => {
    const text = 'café 😀'
    await send(text)
    await inbox.waitForMessage({ subject: text })
    expect([subject.test(text), (await inbox.messages({ subject })).messages.length > 0]).toEqual([expected, expected])
  })

  test.each([
    [/(?=code)/, 'lookaround is not supported'],
    [/(?!code)/, 'lookaround is not supported'],
    [/(?<=code)/, 'lookaround is not supported'],
    [/(?<!code)/, 'lookaround is not supported'],
    [/(a)\1/, 'backreferences are not supported'],
    [/(?<a>a)\k<a>/, 'backreferences are not supported'],
    [/a/y, 'the flag y is not supported'],
    [/[a--b]/v, 'the flag v is not supported'],
    [new RegExp(String.raw`\u{61}`), String.raw`\u{61} needs the flag u`],
    [/\ud83d/, String.raw`\ud83d is half of a character`],
  ])('%s is refused before any request', async (subject, reason) => {
    const silent = await openInbox('x', {
      url: program.url,
      address: 'a@b.example',
      fetch: () => Promise.reject(new Error('there was a request')),
    })
    const error = new TypeError(`${String(subject)} can't run on the service, which has RE2 syntax: ${reason}`)
    await expect(silent.waitForMessage({ subject })).rejects.toThrow(error)
    await expect(silent.waitForCode({ subject, timeout: Infinity })).rejects.toThrow(error)
    await expect(silent.messages({ body: subject })).rejects.toThrow(error)
  })

  test('takes a text between slashes for a text, and a query for what the API takes it for', async () => {
    await send('See /Verify.me/ or verify-me')
    await inbox.waitForMessage({ subject: '/verify.ME/' })
    await send('See verify-me')
    await inbox.waitForMessage({ subject: { query: '/^see verify.me$/i' } })
    const found = async (subject: string) => (await inbox.messages({ subject })).messages.map((each) => each.subject)
    expect(await found('/verify.me/')).toEqual(['See /Verify.me/ or verify-me'])
    expect(await found('/verify.me/i')).toEqual([])
  })

  test('explains what arrived instead', async () => {
    await send('Welcome')
    await inbox.waitForMessage({ subject: 'Welcome' })
    const error: unknown = await inbox.waitForCode({ subject: 'Welcome', timeout: 200 }).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(WaitTimeoutError)
    expect((error as WaitTimeoutError).message).toMatch(
      new RegExp(`^${inbox.address}: No matching message .*"Welcome" from .* does not match \`has\``),
    )
    expect((error as WaitTimeoutError).explanation?.unmatched[0]).toMatchObject({ subject: 'Welcome', unmet: ['has'] })
  })

  test('ends with the reason of its signal', async () => {
    const stop = new AbortController()
    const waiting = inbox.waitForMessage({ subject: 'never', signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})

test('streams events, and misses nothing when the connection is lost', async () => {
  const own = await createInbox({ url: program.url })
  let connections = 0
  const broken = await openInbox(own.secret, {
    url: program.url,
    // Ends the first stream after its first chunk.
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (!String(input).endsWith('/events') || ++connections > 1) return response
      const reader = response.body!.getReader()
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value } = await reader.read()
          controller.enqueue(value!)
          if (new TextDecoder().decode(value).includes('event: message')) {
            controller.close()
            await reader.cancel()
          }
        },
      })
      return new Response(body, response)
    },
  })
  const stop = new AbortController()
  const events: InboxEvent[] = []
  const subjects = () => events.flatMap((event) => (event.type === 'message' ? [event.message.subject] : []))
  const reading = (async () => {
    for await (const event of broken.events({ signal: stop.signal })) events.push(event)
  })()
  await expect.poll(() => connections).toBe(1)
  for (const subject of ['one', 'two', 'three'])
    await sendMail(program.smtpPort, { to: own.address, subject, text: subject })
  await expect.poll(() => new Set(subjects())).toEqual(new Set(['one', 'two', 'three']))
  expect(connections).toBeGreaterThan(1)
  const { messages } = await own.messages()
  await own.deleteMessage(messages[0]!.id)
  await expect.poll(() => events).toContainEqual({ type: 'deleted', id: messages[0]!.id })
  stop.abort()
  await reading
  await own.delete()
  await expect(own.events().next()).rejects.toMatchObject({ code: 'unauthorized' })
})

test('the stream of an address that is deleted meanwhile throws', async () => {
  const own = await createInbox({ url: program.url })
  const events = own.events()
  const first = events.next()
  await sendMail(program.smtpPort, { to: own.address, subject: 'before the end', text: 'x' })
  expect((await first).value).toMatchObject({ type: expect.any(String) })
  const rest = (async () => {
    for await (const event of events) void event
  })()
  rest.catch(() => {})
  await own.delete()
  const [streamed, asked] = await Promise.all([rest, own.state()].map((each) => each.catch((error: unknown) => error)))
  expect(streamed).toBeInstanceOf(MayflyError)
  expect(streamed).toEqual(asked)
})

test('reads bytes, marks and deletes', async () => {
  await send('With a file', 'see the file', { attachments: [{ filename: 'a.bin', content: Buffer.from([0, 255, 7]) }] })
  const { id } = await inbox.waitForMessage({ has: 'attachment' })
  expect([...(await inbox.attachment(id, 0))]).toEqual([0, 255, 7])
  expect(Buffer.from(await inbox.raw(id)).toString()).toContain('Subject: With a file')
  expect((await inbox.markSeen(id)).seen).toBe(true)
  await inbox.deleteMessage(id)
  await expect(inbox.message(id)).rejects.toMatchObject({ name: 'MayflyError', code: 'message_not_found', status: 404 })
})

test('checks a message', async () => {
  await send('To check', 'see', { html: '<p style="display: flex">see</p>' })
  const { id } = await inbox.waitForMessage({ subject: 'To check' })
  const checks = await inbox.checks(id, { links: 'check' })
  expect(checks.html?.issues.map(({ feature }) => feature)).toContain('css-display-flex')
  expect(checks.problems).toEqual([])
})

test.each([
  [{ login: 'postmaster' }, 'login_reserved'],
  [{ login: 'x' }, 'login_invalid'],
  [{ domain: 'elsewhere.example' }, 'domain_unknown'],
])('refuses %j with %s', async (options, code) => {
  const error: unknown = await createInbox({ url: program.url, ...options }).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(MayflyError)
  expect(error).toMatchObject({ code, message: expect.stringContaining(code) })
})

test('deletes its address at the end of a block', async () => {
  let secret = ''
  {
    await using temporary = await createInbox({ url: program.url })
    secret = temporary.secret
  }
  await expect(openInbox(secret, { url: program.url })).rejects.toMatchObject({ code: 'unauthorized' })
})
