import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createInbox, type Inbox, type InboxEvent, openInbox } from '#client/index.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
let inbox: Inbox
beforeAll(async () => void (program = await sharedProgram()))
beforeEach(async () => void (inbox = await createInbox({ url: program.url })))

/** Opens an inbox. `signals` has those of the streams that the service has responded to. */
async function watched(secret: string): Promise<{ watcher: Inbox; signals: AbortSignal[] }> {
  const signals: AbortSignal[] = []
  const watcher = await openInbox(secret, {
    url: program.url,
    address: inbox.address,
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (String(input).endsWith('/events')) signals.push(init!.signal!)
      return response
    },
  })
  return { watcher, signals }
}

/** Collects garbage, and waits until what refers to nothing is gone. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let isGone = false
  const registry = new FinalizationRegistry(() => (isGone = true))
  registry.register({}, undefined)
  await expect
    .poll(() => {
      collect()
      return isGone
    })
    .toBe(true)
}

test('events that happen before the first is asked for are not missed', async () => {
  const { watcher, signals } = await watched(inbox.secret)
  const stop = new AbortController()
  const events = watcher.events({ signal: stop.signal })
  await expect.poll(() => signals.length).toBe(1)
  // The body of a response that nothing refers to is canceled.
  await collectGarbage()
  await sendMail(program.smtpPort, { to: inbox.address, subject: 'before the loop', text: 'x' })
  await inbox.waitForMessage()
  const seen: InboxEvent[] = []
  for await (const event of events) {
    seen.push(event)
    if (event.type === 'message') break
  }
  expect(seen).toContainEqual(
    expect.objectContaining({ message: expect.objectContaining({ subject: 'before the loop' }) }),
  )
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test.each<[string, (events: AsyncGenerator<InboxEvent>, stop: AbortController) => unknown]>([
  ['its signal', (_, stop) => stop.abort()],
  ['its end', (events) => events.return(undefined)],
])('a stream that nobody reads ends with %s', async (_, end) => {
  const { watcher, signals } = await watched(inbox.secret)
  const stop = new AbortController()
  const events = watcher.events({ signal: stop.signal })
  await expect.poll(() => signals.length).toBe(1)
  await end(events, stop)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('a reader that waits for an event is told the end', async () => {
  const { watcher } = await watched(inbox.secret)
  const events = watcher.events()
  expect((await events.next()).value).toMatchObject({ type: 'address' })
  const waiting = events.next()
  await events.return(undefined)
  expect(await waiting).toEqual({ done: true, value: undefined })
})

test('the first event that is asked for throws why there is no stream', async () => {
  const { watcher, signals } = await watched('wrong')
  const events = watcher.events()
  await expect.poll(() => signals.length).toBe(1)
  await expect(events.next()).rejects.toMatchObject({ code: 'unauthorized' })
})

/** A service whose connections can be cut, and that refuses the first `refused` ones. Its revision is 5, of which it tells. */
async function fragileService({ refused = 0, tells = 'address' } = {}) {
  let revision = 5
  let refusals = refused
  const seen: (string | null)[] = []
  let calls = 0
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const send = (event: string, data: object, id = revision) =>
    stream!.enqueue(new TextEncoder().encode(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
  const watcher = await openInbox('secret', {
    url: program.url,
    address: 'a@b.example',
    async fetch(_, init) {
      calls++
      if (refusals-- > 0) throw new TypeError('fetch failed')
      const since = (init!.headers as Headers).get('last-event-id')
      seen.push(since)
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) })
      init!.signal!.addEventListener('abort', () => stream!.error(init!.signal!.reason))
      for (let id = Number(since ?? revision) + 1; id <= revision; id++) send('message', { id: `M${id}` }, id)
      send(tells, { address: 'a@b.example' })
      return new Response(body)
    },
  })
  return {
    watcher,
    seen,
    calls: () => calls,
    /** Whether the client has read all that was sent. */
    isRead: () => (stream?.desiredSize ?? 0) > 0,
    receive() {
      revision++
      send('message', { id: `M${revision}` })
    },
    cut: () => stream!.error(new TypeError('terminated')),
  }
}

test.each([0, 2])(
  'no event is missed if the connection breaks before the loop begins, after %i refusals',
  async (n) => {
    const { watcher, seen, isRead, receive, cut } = await fragileService({ refused: n })
    const events = watcher.events()
    await expect.poll(isRead, { timeout: 5000 }).toBe(true)
    for (let i = 0; i < 3; i++) receive()
    cut()
    const ids: string[] = []
    for await (const event of events) {
      if (event.type === 'message') ids.push(event.message.id)
      if (ids.length === 3) break
    }
    expect(ids).toEqual(['M6', 'M7', 'M8'])
    expect(seen).toEqual([null, expect.stringMatching(/^[5-7]$/)])
  },
)

test('a stream that nobody reads does not connect again, and later begins where it ended', async () => {
  const { watcher, seen, isRead, cut } = await fragileService({ tells: 'unknown' })
  const events = watcher.events()
  await expect.poll(isRead).toBe(true)
  cut()
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(seen).toEqual([null])
  void events.next()
  await expect.poll(() => seen, { timeout: 5000 }).toEqual([null, '5'])
  await events.return(undefined)
})

test('a service that does not respond is not called forever while nobody reads', { timeout: 20_000 }, async () => {
  const { watcher, calls } = await fragileService({ refused: Infinity })
  const events = watcher.events()
  await expect.poll(calls, { timeout: 10_000 }).toBe(3)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  expect(calls()).toBe(3)
  await events.return(undefined)
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('an event that was read comes once, and a stream that has ended yields none that wait', async () => {
  const { watcher, seen, receive, cut } = await fragileService()
  const stop = new AbortController()
  const events = watcher.events({ signal: stop.signal })
  const nextType = async () => (await events.next()).value?.type
  expect(await nextType()).toBe('address')
  receive()
  expect(await nextType()).toBe('message')
  cut()
  expect(await nextType()).toBe('address')
  expect(seen).toEqual([null, '6'])
  receive()
  stop.abort()
  expect(await nextType()).toBe(undefined)
})
