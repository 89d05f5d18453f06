import { once } from 'node:events'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Inbox, openInbox, WaitTimeoutError } from '#client/index.ts'

type Answer = (signal: AbortSignal) => Response | Promise<Response>

const URL_OF_SERVICE = 'https://mayfly.example'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

/** An inbox whose requests get these answers, the last one again and again. */
async function answered(...answers: Answer[]): Promise<{ inbox: Inbox; calls: string[] }> {
  const calls: string[] = []
  const inbox = await openInbox('x', {
    url: URL_OF_SERVICE,
    address: 'a@b.example',
    async fetch(input, init) {
      const { pathname, searchParams } = new URL(String(input))
      const wait = searchParams.get('wait')
      calls.push(wait === null ? pathname.replace('/api/v1', '') : `wait ${wait}`)
      return answers[Math.min(calls.length, answers.length) - 1]!(init!.signal!)
    },
  })
  return { inbox, calls }
}

const listed =
  (...messages: object[]): Answer =>
  () =>
    Response.json({ messages, next: null })
const found = listed({ id: 'M', code: '482913' })
const content: Answer = () => Response.json({ id: 'M', text: 'Hello' })
const refusal =
  (status: number, code: string): Answer =>
  () =>
    Response.json({ type: 'about:blank', title: code, status, code }, { status })
const stopped = refusal(503, 'unavailable')
/** No answer, as `fetch` of Node reports it. */
const failing =
  (code: string): Answer =>
  () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
  }
const refused = failing('ECONNREFUSED')
const silent: Answer = async (signal) => {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}
const broken: Answer = async () => {
  await new Promise((resolve) => setTimeout(resolve, 9000))
  return failing('ECONNRESET')(new AbortController().signal)
}
/** A response that breaks off in its body. */
const cut: Answer = () =>
  new Response(
    new ReadableStream({
      pull: (body) =>
        body.error(
          new TypeError('terminated', {
            cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
          }),
        ),
    }),
  )

/** The result or error of a call, and the milliseconds until it is there. */
async function ended(call: Promise<unknown>): Promise<{ result: any; after: number }> {
  const begin = Date.now()
  let end: { result: unknown; after: number } | undefined
  const note = (result: unknown) => void (end = { result, after: Date.now() - begin })
  void call.then(note, note)
  for (let step = 0; step < 2000 && !end; step++) await vi.advanceTimersByTimeAsync(100)
  return end ?? { result: 'never', after: Infinity }
}

test.each<[string, Answer[]]>([
  ['refuses connections after it stopped', [stopped, refused, refused, found]],
  ['cuts the request short, then refuses connections', [listed(), refused, found]],
  ['breaks the first connection', [broken, refused, found]],
  ['breaks the body of the first response', [cut, found]],
])('a wait goes on if the service %s', async (_, answers) => {
  const { inbox, calls } = await answered(...answers)
  expect((await ended(inbox.waitForCode({ timeout: 30_000 }))).result).toBe('482913')
  expect(calls).toHaveLength(answers.length)
})

test.each(['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT', ''])(
  'a wait of a service that was never there ends at once: %s',
  async (code) => {
    const { inbox, calls } = await answered(failing(code))
    expect((await ended(inbox.waitForCode({ timeout: 30_000 }))).result.message).toContain('No service responds')
    expect(calls).toEqual(['wait 25'])
  },
)

test.each([2500, 30_000])(
  'a wait of %i ms whose service stays away ends at its timeout, and says why',
  async (timeout) => {
    const { inbox } = await answered(stopped, refused)
    const { result, after } = await ended(inbox.waitForMessage({ timeout }))
    expect(result).toBeInstanceOf(WaitTimeoutError)
    expect(result.cause.message).toContain('No service responds')
    expect(after).toBeGreaterThanOrEqual(timeout)
    expect(after).toBeLessThanOrEqual(timeout + 3000)
  },
)

test.each([40_000, Infinity])('a wait of %d ms asks again if a held request is lost', async (timeout) => {
  const { inbox, calls } = await answered(silent, found)
  const { result, after } = await ended(inbox.waitForCode({ timeout }))
  expect([result, after]).toEqual(['482913', 28_000])
  expect(calls[0]).toBe('wait 25')
})

test('the signal of a wait ends the request for the content too', async () => {
  const { inbox, calls } = await answered(found, silent)
  const stop = new AbortController()
  setTimeout(() => stop.abort('stopped'), 500)
  const { result, after } = await ended(inbox.waitForMessage({ timeout: 1000, signal: stop.signal }))
  expect([result, after]).toEqual(['stopped', 500])
  expect(calls).toEqual(['wait 1', '/messages/M'])
})

test.each([0, 1000, 10_000])('a wait of %i ms ends soon after it if the content does not come', async (timeout) => {
  const { inbox } = await answered(found, silent)
  const { result, after } = await ended(inbox.waitForMessage({ timeout }))
  expect(result).toBeInstanceOf(WaitTimeoutError)
  expect(result.cause.message).toBe('The service did not respond')
  expect(after).toBeGreaterThanOrEqual(timeout)
  expect(after).toBeLessThanOrEqual(timeout + 3000)
})

test.each<[string, Answer]>([
  ['was lost', silent],
  ['could not be sent', refused],
  ['came during a restart', stopped],
  ['came too often', refusal(429, 'too_many_requests')],
])('a wait asks again if the request for the content %s', async (_, answer) => {
  const { inbox } = await answered(found, answer, found, content)
  expect((await ended(inbox.waitForMessage({ timeout: 60_000 }))).result).toEqual({ id: 'M', text: 'Hello' })
})

test('a wait goes on if the message was deleted before its content was read', async () => {
  const gone = refusal(404, 'message_not_found')
  const { inbox } = await answered(found, gone, listed(), found, content)
  expect((await ended(inbox.waitForMessage())).result).toEqual({ id: 'M', text: 'Hello' })
  const other = await answered(found, gone, () =>
    Response.json({ messages: [], next: null, explanation: { text: 'No matching message arrived within 0 s. None.' } }),
  )
  const { result } = await ended(other.inbox.waitForMessage({ timeout: 500 }))
  expect(result).toBeInstanceOf(WaitTimeoutError)
  expect(result.message).toBe('a@b.example: No matching message arrived within 0.5 s. None.')
})

test('a wait does not repeat other refusals of the content', async () => {
  const { inbox, calls } = await answered(found, refusal(401, 'unauthorized'))
  expect((await ended(inbox.waitForMessage())).result).toMatchObject({ code: 'unauthorized' })
  expect(calls).toHaveLength(2)
})
