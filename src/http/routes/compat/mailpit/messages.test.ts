import Fastify from 'fastify'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ListedMessage } from '#features/mailbox/index.ts'
import { PATIENCE } from '#test/support/program/patience.ts'
import { lazyValidators } from '../../../compilers.ts'
import type { RouteContext } from '../../../context.ts'
import { listRoutes } from './messages.ts'

const COUNT = 2000
const ADDRESS = 'a@mayfly.test'
/** Every second message is seen, newest first. */
const all = Array.from({ length: COUNT }, (_, i) => ({
  id: String(COUNT - i).padStart(26, '0'),
  seen: i % 2 === 0,
})) as ListedMessage[]
const unseen = all.filter(({ seen }) => !seen).map(({ id }) => id)

/** The routes on a mailbox whose changes wait until `proceed` is called. */
async function start() {
  const state = {
    opened: 0,
    left: 0,
    changed: [] as string[],
    running: 0,
    most: 0,
    proceed: Promise.withResolvers<void>(),
  }
  async function change(_open: unknown, ids: readonly string[]): Promise<void> {
    state.most = Math.max(state.most, ++state.running)
    await state.proceed.promise
    state.changed.push(...ids)
    state.running--
  }
  const messages = {
    newest: async (_open: unknown, limit: number, before?: string) =>
      all.filter(({ id }) => before === undefined || id < before).slice(0, limit),
    markAll: change,
    removeAll: change,
  }
  async function open() {
    state.opened++
    return { address: ADDRESS, row: { id: 'x' } }
  }
  const addresses = { open, validUntil: async () => Infinity }
  const app = Fastify({ forceCloseConnections: true })
  app.addHook('onRequest', async (_request, reply) => void reply.raw.once('close', () => state.left++))
  app.setValidatorCompiler(lazyValidators([]))
  listRoutes(app, {
    deps: { messages, addresses, clock: Date.now, compat: {} },
    options: {},
  } as unknown as RouteContext)
  const url = `${await app.listen()}/api/v1/messages`
  onTestFinished(() => app.close())
  const authorization = `Basic ${Buffer.from(`${ADDRESS}:secret`).toString('base64')}`
  const send = (method: string, body: object, signal: AbortSignal | null = null): Promise<Response> =>
    fetch(url, {
      method,
      signal,
      body: JSON.stringify(body),
      headers: { authorization, 'content-type': 'application/json' },
    })
  return { state, send }
}

let routes: Awaited<ReturnType<typeof start>>
beforeEach(async () => {
  routes = await start()
})

test('only messages without the mark are changed', async () => {
  const { state, send } = routes
  state.proceed.resolve()
  expect((await send('PUT', { Read: true })).status).toBe(200)
  expect(state.changed).toEqual(unseen)
})

test('messages that are named are changed without a look at all', async () => {
  const { state, send } = routes
  state.proceed.resolve()
  await send('PUT', { Read: true, IDs: [unseen[0]] })
  await send('DELETE', { IDs: [unseen[1]] })
  expect(state.changed).toEqual(unseen.slice(0, 2))
})

test.each([
  ['PUT', { Read: false }],
  ['DELETE', {}],
])('%s: one change of a mailbox at a time, which ends when its client has gone', async (method, body) => {
  const { state, send } = routes
  const clients = new AbortController()
  const sent = Array.from({ length: 8 }, () => send(method, body, clients.signal).catch(() => undefined))
  await vi.waitFor(() => expect(state).toMatchObject({ opened: 8, running: 1 }), PATIENCE)
  clients.abort()
  await Promise.all(sent)
  await vi.waitFor(() => expect(state.left).toBe(8), PATIENCE)
  const last = send(method, body)
  state.proceed.resolve()
  expect((await last).status).toBe(200)
  const wanted = all.filter(({ seen }) => method === 'DELETE' || seen).length
  expect(state.most).toBe(1)
  // What was being changed when the clients left, and all of the last request.
  expect(state.changed.length).toBeGreaterThan(wanted)
  expect(state.changed.length).toBeLessThan(wanted + 600)
})
