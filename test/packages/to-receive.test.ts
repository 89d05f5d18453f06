import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExpectMatcherState } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Inbox, openInbox, WaitTimeoutError } from '#client/index.ts'
import type { ExpectedMessage } from '../../packages/playwright/src/to-receive.ts'

// The package is not built, and its dependency neither.
vi.mock('@mayfly/client', () => import('#client/index.ts'))
const { registerMayfly } = await import('../../packages/cypress/src/index.ts')
const { toReceive } = await import('../../packages/playwright/src/to-receive.ts')

interface Listed {
  id: string
  subject: string
  code: string | null
}

const PAGE = 2
/** Messages of an inbox, newest first, in pages of two as of the service. Null: it does not respond. */
let messages: Listed[] | null = []
let site = ''
let calls: string[] = []
/** How many requests are answered. */
let answers = Infinity
/** The requests that are refused with 429, and their Retry-After. */
let limited: { requests: number[]; seconds: number } | undefined
const server = createServer(({ url = '' }, response) => {
  calls.push(url)
  if (!messages || calls.length > answers) return
  if (limited?.requests.includes(calls.length)) {
    response.writeHead(429, { 'retry-after': String(limited.seconds) }).end()
    return
  }
  const { pathname, searchParams } = new URL(url, site)
  const indexOf = (name: string) => messages!.findIndex(({ id }) => id === searchParams.get(name))
  const end = searchParams.has('after') ? indexOf('after') : messages.length
  const start = searchParams.has('before') ? indexOf('before') + 1 : 0
  const page = messages.slice(start, Math.min(end, start + PAGE))
  const rest = end > start + PAGE
  const full = (each: Listed) => ({ ...each, from: { address: 'no-reply@harbour.example' }, link: null })
  const id = pathname.split('/messages/')[1]
  const body = id
    ? full(messages.find((each) => each.id === id)!)
    : { messages: page.map(full), next: rest ? page.at(-1)!.id : null }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
})
let inbox: Inbox
beforeEach(() => {
  calls = []
  answers = Infinity
  limited = undefined
})
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  inbox = await openInbox('secret', { address: 'velvet.otter47@mayfly.test', url: site })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const matched = (isNot: boolean, wanted: ExpectedMessage, timeout = 100) => {
  const utils = { matcherHint: () => 'expect(inbox)', printExpected: JSON.stringify, printReceived: JSON.stringify }
  return toReceive({ isNot, utils } as unknown as ExpectMatcherState, inbox, wanted, { timeout })
}

test.each([true, false])('is no result if the service does not respond, negated: %s', async (isNot) => {
  messages = null
  const reason = new Error('The service did not respond')
  const failed = await matched(isNot, {}).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(WaitTimeoutError)
  expect((failed as Error).cause).toEqual(reason)
})

test('finds a message that is not on the first page of those that match the conditions', async () => {
  messages = ['5', '4', '3', '2', '1'].map((id) => ({ id, subject: `Code ${id}`, code: id.repeat(6) }))
  for (const { code } of messages) expect([code, (await matched(true, { code: code! })).pass]).toEqual([code, true])
  const missing = await matched(false, { code: '000000' })
  expect(missing.pass).toBe(false)
  for (const { code } of messages) expect(missing.message()).toContain(code)
})

test.each([9999.5, Infinity])(
  'gives later pages the rest of the time, of %s ms',
  { timeout: 10_000 },
  async (timeout) => {
    messages = ['3', '2', '1'].map((id) => ({ id, subject: `Code ${id}`, code: id.repeat(6) }))
    limited = { requests: [2], seconds: 4 }
    expect((await matched(false, { code: '111111' }, timeout)).pass).toBe(true)
  },
)

test('reads the list alone, and only once', async () => {
  messages = [{ id: '1', subject: 'Welcome', code: '482913' }]
  expect((await matched(false, { code: '482913' })).pass).toBe(true)
  expect(calls).toEqual([expect.stringContaining('wait=')])
})

test.each(['subject', 'has', 'code', 'link'])('takes no account of a condition that is null: %s', async (name) => {
  messages = [{ id: '1', subject: 'Welcome', code: '482913' }]
  expect((await matched(false, { [name]: null })).pass).toBe(true)
  expect(calls).toEqual([expect.stringMatching(/\?wait=\d+$/)])
})

test.each([1, 2])('says that the service does not respond after %i requests', async (n) => {
  messages = ['3', '2', '1'].map((id) => ({ id, subject: `Code ${id}`, code: id.repeat(6) }))
  answers = n
  const begin = Date.now()
  const failed = await matched(false, { code: '000000' }).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(WaitTimeoutError)
  expect((failed as Error).cause).toMatchObject({ message: 'The service did not respond' })
  expect(Date.now() - begin).toBeLessThan(5000)
})

test('the tasks of Cypress end although the service hangs when inboxes are deleted', async () => {
  const task = vi.fn<(event: 'task', tasks: Record<string, (input: object | null) => Promise<unknown>>) => void>()
  registerMayfly(task, { url: site })
  const tasks = task.mock.calls[0]![1]
  messages = []
  await tasks['mayfly:createInbox']!({})
  messages = null
  expect(await tasks['mayfly:deleteInboxes']!(null)).toBe(null)
})
