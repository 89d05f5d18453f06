import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { NEVER } from '#core/mailbox/lifetime.ts'
import { MINUTE } from '#core/time.ts'
import type { RouteContext } from '../context.ts'
import { OpenCounts } from '../limits/limits.ts'
import { createHeartbeats } from './heartbeats.ts'
import { answerInbox } from './inbox-stream.ts'

const INTERVAL = 10 * MINUTE

/** Follows an inbox without changes for as long as three intervals. Returns how often that counted as a visit. */
async function visitsOf(headers: Record<string, string>): Promise<number> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let visits = 0
  const context = {
    deps: { bus: { subscribe: () => () => {} }, clock: Date.now, metrics: { gauge() {} }, logger: { warn() {} } },
    options: { streamBufferBytes: 1e6, streamVisitInterval: INTERVAL },
    streams: new OpenCounts(1, 1),
    keys: { holder: () => undefined, grants: () => [] },
    heartbeats: createHeartbeats(1e6),
    stopping: new AbortController().signal,
  } as unknown as RouteContext
  const inbox = {
    revision: 0,
    visit: async () => void visits++,
    watch: () => () => {},
    changes: async () => ({ messages: [], deleted: [], address: {} }),
  }
  const app = Fastify()
  app.get('/events', async (request, reply) =>
    answerInbox(context, request, reply, { topics: [], validUntil: async () => NEVER }, inbox),
  )
  const response = await fetch(`${await app.listen()}/events`, { headers })
  const reader = response.body!.getReader()
  await reader.read()
  vi.advanceTimersByTime(3 * INTERVAL)
  await reader.cancel()
  await expect.poll(() => context.streams.total).toBe(0)
  vi.advanceTimersByTime(3 * INTERVAL)
  vi.useRealTimers()
  await app.close()
  return visits
}

test('an open stream counts as a visit every now and then', async () => {
  expect(await visitsOf({})).toBe(3)
  expect(await visitsOf({ 'x-visit': 'yes' })).toBe(3)
})

test('a stream that is no visit never extends the address', async () =>
  expect(await visitsOf({ 'x-visit': 'no' })).toBe(0))
