import { beforeAll, expect, test } from 'vitest'
import { createInbox, type Inbox, openInbox, WaitTimeoutError } from '#client/index.ts'
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
  await expect(alone.waitForCode({ timeout: Infinity })).rejects.toThrow('fetch failed')
})
