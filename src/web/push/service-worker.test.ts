import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test, vi } from 'vitest'

const SOURCE = await readFile(join(import.meta.dirname, '../../../public/sw.js'), 'utf8')
const SETTINGS = {
  details: true,
  texts: { arrived: 'New email', plain: '{sender}: {subject}', code: '{sender}: {code}', home: '/en', locale: 'en' },
  ids: ['s1', 's2'],
  addresses: { s1: 'a@mayfly.test' },
}
const MESSAGE = { id: 'm1', from: { name: 'Bank', address: 'bank@real.example' }, subject: 'Hello', code: '1234' }

/** What the worker shows after a push, if the site answers its requests in a certain way. */
async function shown(answer: (path: string, signal?: AbortSignal) => Promise<Response>) {
  const listeners: Record<string, (event: object) => void> = {}
  const showNotification = vi.fn(async () => {})
  const settings = { match: async () => Response.json(SETTINGS) }
  runInNewContext(SOURCE, {
    URL,
    MessageChannel,
    Response,
    // No request may keep the notification longer than this.
    AbortSignal: {
      timeout: (milliseconds: number) => (expect(milliseconds).toBeLessThan(10_000), AbortSignal.timeout(1)),
    },
    location: new URL('https://mayfly.test/sw.js?lang=en&build=1'),
    navigator: { userAgent: 'Chrome/140' },
    caches: { open: async () => settings },
    clients: { matchAll: async () => [] },
    registration: { showNotification },
    setTimeout,
    fetch: async (path: string, { signal }: { signal?: AbortSignal } = {}) => answer(path, signal),
    addEventListener: (name: string, listener: (event: object) => void) => (listeners[name] = listener),
  })
  let work: Promise<void> | undefined
  const data = { json: () => ({ id: 'm1', count: 1, subscription: 's1' }) }
  listeners.push?.({ data, waitUntil: (promise: Promise<void>) => (work = promise) })
  await work
  return showNotification.mock.calls.map(([, { body }]: any) => body)
}

const bodies: Record<string, object> = {
  '/api/v1/messages': { messages: [MESSAGE] },
  '/api/v1/address': { address: 'a@mayfly.test' },
}
const cutOff = (): Response =>
  new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError('network')) }))

test('a notification has the details of its message', async () =>
  expect(await shown(async (path) => Response.json(bodies[path]))).toEqual(['Bank: 1234\na@mayfly.test']))

test.each([
  ['has no connection', async () => Promise.reject(new TypeError('network'))],
  ['is cut off', async () => cutOff()],
  ['is no JSON', async () => new Response('<html>')],
  [
    'never comes',
    async (_: string, signal?: AbortSignal) =>
      new Promise<Response>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  ],
])('a notification is shown without them if the response %s', async (_, answer) =>
  expect(await shown(answer)).toEqual(['New email\na@mayfly.test']),
)
