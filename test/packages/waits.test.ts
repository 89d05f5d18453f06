import { once } from 'node:events'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createInbox, type Inbox, openInbox, WaitTimeoutError } from '#client/index.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

let program: SharedProgram
let inbox: Inbox
beforeAll(async () => {
  program = await sharedProgram()
  inbox = await createInbox({ url: program.url })
})

function tooMany(retryAfter: string): Response {
  const body = JSON.stringify({ type: 'about:blank', title: 'Too many', status: 429, code: 'too_many_requests' })
  return new Response(body, { status: 429, headers: { 'retry-after': retryAfter } })
}

test('waits and tries again after 429', async () => {
  let calls = 0
  const limited = await createInbox({
    url: program.url,
    async fetch(input, init) {
      if (++calls > 1) return fetch(input, init)
      return tooMany('0')
    },
  })
  expect(calls).toBe(2)
  await limited.delete()
})

test('ends a wait in time after 429 with a date, and with the reason of its signal', async () => {
  let calls = 0
  const limited = await openInbox(inbox.secret, {
    url: program.url,
    async fetch(input, init) {
      if (!String(input).includes('wait=')) return fetch(input, init)
      calls++
      const later = new Date(Date.now() + 60_000).toUTCString()
      return tooMany(calls === 1 ? 'soon' : later)
    },
  })
  await expect(limited.waitForMessage({ timeout: 3000 })).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(calls).toBe(2)
  const client = new AbortController()
  const wait = inbox.waitForMessage({ subject: 'Never', signal: client.signal })
  client.abort('stopped')
  await expect(wait).rejects.toBe('stopped')
})

test.each([502, 503, 504])('a wait goes on after a proxy or the service responded with %i', async (status) => {
  const own = await createInbox({ url: program.url })
  let calls = 0
  const restarted = await openInbox(own.secret, {
    url: program.url,
    async fetch(input, init) {
      if (!String(input).includes('wait=') || ++calls > 1) return fetch(input, init)
      await sendMail(program.smtpPort, { to: own.address, text: 'Your code is 482913' })
      return new Response('<h1>Bad Gateway</h1>', { status, headers: { 'content-type': 'text/html' } })
    },
  })
  expect(await restarted.waitForCode({ timeout: 30_000 })).toBe('482913')
  expect(calls).toBe(2)
  await own.delete()
})

test('a wait that the service cannot end in time fails with its last error', async () => {
  const down = await openInbox(inbox.secret, {
    url: program.url,
    fetch: async (input, init) =>
      String(input).includes('wait=') ? new Response('', { status: 503 }) : fetch(input, init),
  })
  await expect(down.waitForCode({ timeout: 2500 })).rejects.toMatchObject({ status: 503 })
})

test('waits for a shorter time after 429', async () => {
  const waits: number[] = []
  const limited = await openInbox(inbox.secret, {
    url: program.url,
    async fetch(input, init) {
      const wait = new URL(String(input)).searchParams.get('wait')
      if (wait === null) return fetch(input, init)
      waits.push(Number(wait))
      if (waits.length > 1) return fetch(input, init)
      return tooMany('1')
    },
  })
  await expect(limited.waitForMessage({ subject: 'Never', timeout: 2500 })).rejects.toBeInstanceOf(WaitTimeoutError)
  expect(waits[0]).toBe(3)
  expect(waits[1]).toBeLessThan(3)
})

test('a wait without an end still ends with an error', async () => {
  const own = await createInbox({ url: program.url })
  await own.delete()
  await expect(own.waitForCode({ timeout: Infinity })).rejects.toMatchObject({ code: 'unauthorized' })
  const fetch = () => Promise.reject(new TypeError('fetch failed'))
  const alone = await openInbox('x', { url: program.url, address: 'a@b.example', fetch })
  await expect(alone.waitForCode({ timeout: Infinity })).rejects.toThrow('No service responds')
})

/** An inbox whose waits are counted, and whose requests that wait are answered by `hold`. */
async function held(hold: (signal: AbortSignal) => Promise<Response>): Promise<{ own: Inbox; waits: number[] }> {
  const waits: number[] = []
  const own = await openInbox(inbox.secret, {
    url: program.url,
    address: inbox.address,
    async fetch(input, init) {
      const wait = Number(new URL(String(input)).searchParams.get('wait'))
      waits.push(wait)
      return wait > 0 ? hold(init!.signal!) : fetch(input, init)
    },
  })
  return { own, waits }
}

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

test('a wait ends at its timeout in milliseconds, although the service counts seconds', async () => {
  const { own, waits } = await held(untilAborted)
  const begin = Date.now()
  const error: unknown = await own.waitForCode({ subject: 'Never', timeout: 100 }).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(WaitTimeoutError)
  const { message, explanation } = error as WaitTimeoutError
  expect(explanation?.text).toMatch(/^No matching message arrived within 0\.1 s\. The inbox has no other messages/)
  expect(message).toBe(`${inbox.address}: ${explanation?.text}`)
  expect(waits).toEqual([1, 0])
  expect(Date.now() - begin).toBeGreaterThanOrEqual(100)
})

test('a message that arrived before the timeout is found, even if its response is too late', async () => {
  const { own, waits } = await held(async (signal) => {
    await sendMail(program.smtpPort, { to: inbox.address, subject: 'In time', text: 'x' })
    return untilAborted(signal)
  })
  expect((await own.waitForMessage({ subject: 'In time', timeout: 2500 })).subject).toBe('In time')
  expect(waits).toEqual([3, 0, 0])
})

test('a wait with a signal ends with its reason, and not with the timeout', async () => {
  const { own } = await held(untilAborted)
  const stop = new AbortController()
  const wait = own.waitForMessage({ subject: 'Never', timeout: 10_500, signal: stop.signal })
  stop.abort('stopped')
  await expect(wait).rejects.toBe('stopped')
})

test.each([300, 1000, 70_000])(
  'a wait of %i ms ends soon after it if the service does not respond',
  async (timeout) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const own = await openInbox('x', {
      url: program.url,
      address: 'a@b.example',
      fetch: (_, init) => untilAborted(init!.signal!),
    })
    const begin = Date.now()
    const wait = own.waitForMessage({ timeout }).catch((each: unknown) => each)
    let error: unknown
    void wait.then((each) => (error = each))
    for (let step = 0; step < timeout + 5000 && !error; step += 100) await vi.advanceTimersByTimeAsync(100)
    expect(error).toBeInstanceOf(WaitTimeoutError)
    expect(error).toMatchObject({ cause: { message: 'The service did not respond' } })
    expect(Date.now() - begin).toBeGreaterThanOrEqual(timeout)
  },
)

test('a wait whose time is over ends with its timeout, even if the service refuses to say what arrived', async () => {
  const own = await openInbox('x', {
    url: program.url,
    address: 'a@b.example',
    fetch: async (input, init) => (String(input).includes('wait=0') ? tooMany('1') : untilAborted(init!.signal!)),
  })
  const error: unknown = await own.waitForMessage({ timeout: 100 }).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(WaitTimeoutError)
  expect(error).toMatchObject({ cause: { code: 'too_many_requests' } })
})
