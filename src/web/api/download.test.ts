import { afterEach, expect, test, vi } from 'vitest'
import { problemOf } from './api.ts'
import { download } from './download.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** A server that sends what the test writes, until the request is aborted. */
function serve() {
  let out!: ReadableStreamDefaultController<Uint8Array>
  let stopped = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (out = controller),
    cancel: () => void (stopped = true),
  })
  vi.stubGlobal('fetch', async (_path: string, { signal }: RequestInit) => {
    signal?.addEventListener('abort', () => out.error(signal.reason))
    return new Response(body)
  })
  return {
    send: (text: string): void => out.enqueue(new TextEncoder().encode(text)),
    end: (): void => out.close(),
    fail: (): void => out.error(new TypeError('network error')),
    isStopped: (): boolean => stopped,
  }
}
const problem = (call: Promise<unknown>) => call.then(() => null, problemOf)

test('takes as long as it needs while something arrives', async () => {
  vi.useFakeTimers()
  const { send, end } = serve()
  const loaded = download('/file')
  for (const part of ['one ', 'two ', 'three']) {
    await vi.advanceTimersByTimeAsync(59_000)
    send(part)
  }
  await vi.advanceTimersByTimeAsync(59_000)
  end()
  expect(await (await loaded).text()).toBe('one two three')
  expect(vi.getTimerCount()).toBe(0)
})

test('ends after more than the size that is wanted, and stops the server', async () => {
  const { send, isStopped } = serve()
  const loaded = download('/file', 5)
  send('12345')
  send('6')
  send('7')
  expect(await (await loaded).text()).toBe('123456')
  expect(isStopped()).toBe(true)
})

test.each([
  ['the headers', ''],
  ['a part of it', 'part'],
])('is given up if nothing arrives for a minute after %s', async (_name, part) => {
  vi.useFakeTimers()
  const { send } = serve()
  const failure = problem(download('/file'))
  if (part) send(part)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await failure).toEqual({ code: 'offline' })
})

test('a connection that breaks in the middle is no connection', async () => {
  const { send, fail } = serve()
  const failure = problem(download('/file'))
  send('part')
  fail()
  expect(await failure).toEqual({ code: 'offline' })
})

test('a refusal has its own problem', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ code: 'message_not_found' }, { status: 404 }))
  expect(await problem(download('/file'))).toEqual({ code: 'message_not_found' })
  vi.stubGlobal('fetch', async () => new Response(null))
  expect((await download('/file')).size).toBe(0)
})
