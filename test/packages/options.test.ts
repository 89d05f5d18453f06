import { beforeAll, expect, test } from 'vitest'
import { createInbox, type Inbox, openInbox } from '#client/index.ts'
import { freePort } from '#test/support/program/free-port.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
let inbox: Inbox
beforeAll(async () => {
  program = await sharedProgram()
  inbox = await createInbox({ url: program.url })
})

test.each<[string, (options: object) => unknown]>([
  ['createInbox', (options) => createInbox({ url: program.url, ...options })],
  ['openInbox', (options) => openInbox(inbox.secret, { url: program.url, ...options })],
  ['messages', (options) => inbox.messages(options)],
  ['checks', (options) => inbox.checks('x', options)],
  ['waitForMessage', (options) => inbox.waitForMessage({ timeout: 0, ...options })],
  ['waitForCode', (options) => inbox.waitForCode({ timeout: 0, ...options })],
  ['waitForLink', (options) => inbox.waitForLink({ timeout: 0, ...options })],
  ['events', (options) => inbox.events(options)],
])('%s names an option that does not exist', async (name, call) => {
  const calling = (options: object) => Promise.resolve().then(() => call(options))
  await expect(calling({ 'nothing-like-it': 1 })).rejects.toThrow(
    new RegExp(`^${name}\\(\\) has no option \`nothing-like-it\`\\. It has \`\\w+\`(, \`\\w+\`)*\\.$`),
  )
})

test.each<[misspelled: string, known: string, (options: object) => Promise<unknown>]>([
  ['subjct', 'subject', (options) => inbox.waitForCode(options)],
  ['form', 'from', (options) => inbox.waitForLink(options)],
  ['SUBJECT', 'subject', (options) => inbox.messages(options)],
  ['time_out', 'timeout', (options) => inbox.waitForMessage(options)],
  ['lifetme', 'lifetime', (options) => createInbox(options)],
  ['logn', 'login', (options) => createInbox(options)],
  ['apikey', 'apiKey', (options) => createInbox(options)],
  ['adress', 'address', (options) => openInbox('x', options)],
  ['link', 'links', (options) => inbox.checks('x', options)],
])('%s is not %s', async (misspelled, known, call) => {
  await expect(call({ [misspelled]: 'x' })).rejects.toThrow(
    expect.objectContaining({
      name: 'TypeError',
      message: expect.stringMatching(`has no option \`${misspelled}\`. Did you mean \`${known}\``),
    }),
  )
})

test.each([Number.NaN, -1, '5000', null])('the timeout %s is refused', async (timeout) => {
  await expect(inbox.waitForMessage({ timeout: timeout as number })).rejects.toThrow(
    new TypeError(`\`timeout\` is ${timeout}; expected 0 or more milliseconds`),
  )
})

test('a service that does not run is named', async () => {
  const url = `http://localhost:${await freePort()}`
  await expect(createInbox({ url: `${url}/` })).rejects.toMatchObject({
    message: `No service responds at ${url}. Start one with \`mayfly start\`, or name another with \`url\`.`,
    cause: expect.objectContaining({ message: 'fetch failed' }),
  })
})

test('a request that can’t be sent does not blame the service', () =>
  expect(openInbox('line\nbreak', { url: program.url })).rejects.toThrow(/invalid header value/))

test.each(['localhost:3000', 'example.org', '/api', 'ftp://localhost', ''])('the URL %j is refused', async (url) => {
  await expect(createInbox({ url })).rejects.toThrow(
    new TypeError(`\`url\` is ${JSON.stringify(url)}; expected an http or https URL, such as http://localhost:3000`),
  )
})

test.each(['from', 'to', 'subject', 'body', 'has', 'since', 'after', 'before', 'wait'])(
  'a condition that is null is not sent: %s',
  async (name) => {
    const queries: string[] = []
    const recorded = await openInbox('x', {
      url: program.url,
      address: inbox.address,
      async fetch(input) {
        queries.push(new URL(String(input)).search)
        return Response.json({ messages: [{ id: 'M', code: '482913' }], next: null })
      },
    })
    await recorded.messages({ [name]: null })
    expect(queries).toEqual([''])
  },
)
