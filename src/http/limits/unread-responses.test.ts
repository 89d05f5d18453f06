import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorHandler } from '../errors.ts'
import { limitUnread } from './unread-responses.ts'

/** More than the buffers of the system hold for a connection. */
const LARGE = 20 * 1024 ** 2

let app: FastifyInstance
let sockets: Socket[]
beforeEach(() => {
  sockets = []
  app = Fastify({ forceCloseConnections: true, trustProxy: true })
  app.setErrorHandler(errorHandler({ error: () => {} } as never, { wants: () => false } as never))
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await app.close()
})

async function start(limits: { maxPerClient?: number; maxTotal?: number; stalled?: number } = {}, exempt = false) {
  limitUnread(app, () => exempt, { maxPerClient: LARGE, maxTotal: 10 * LARGE, stalled: 30_000, ...limits })
  app.get('/large', async (_request, reply) => {
    reply.headers({ 'cache-control': 'immutable', 'content-disposition': 'attachment' })
    return Buffer.alloc(LARGE, 'x')
  })
  app.get('/text', async () => 'ü'.repeat(LARGE / 2))
  app.get('/small', async () => 'ok')
  await app.listen({ port: 0, host: '127.0.0.1' })
}

/** Requests a path and reads nothing until the returned socket is read. */
async function ask(path: string, ip: string): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${ip}\r\nConnection: close\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}
const statusOf = async (socket: Socket): Promise<number> => Number((await text(socket)).split(' ')[1])
const bytesOf = async (socket: Socket): Promise<number> => (await text(socket)).split('\r\n\r\n')[1]?.length ?? 0

test.each(['/large', '/text'])('a client that reads nothing gets no second response like %s', async (path) => {
  await start()
  const unread = await ask(path, '192.0.2.1')
  const refused = await text(await ask(path, '192.0.2.1'))
  expect(refused).toMatch(/^HTTP\/1.1 429 [^]*retry-after: \d+\r\n[^]*"code":"too_many_requests"/)
  expect(refused).toContain('\r\ncache-control: no-store\r\n')
  expect(refused).not.toContain('content-disposition')
  expect(await statusOf(await ask('/small', '192.0.2.1'))).toBe(200)
  expect(await statusOf(await ask(path, '192.0.2.2'))).toBe(200)
  expect(await statusOf(unread)).toBe(200)
  await expect.poll(async () => statusOf(await ask(path, '192.0.2.1'))).toBe(200)
})

test('a client that leaves gives its bytes back', async () => {
  await start()
  const unread = await ask('/large', '192.0.2.1')
  unread.destroy()
  await expect.poll(async () => statusOf(await ask('/large', '192.0.2.1'))).toBe(200)
})

test('beyond the total, the oldest unread response is cut off', async () => {
  await start({ maxTotal: 2 * LARGE })
  const oldest = await ask('/large', '192.0.2.1')
  const second = await ask('/large', '192.0.2.2')
  const third = await ask('/large', '192.0.2.3')
  expect(await bytesOf(second)).toBe(LARGE)
  expect(await bytesOf(third)).toBe(LARGE)
  const rest = await bytesOf(oldest).catch(() => 0)
  expect(rest).toBeLessThan(LARGE)
})

test('clients without a limit of their own count in the total', async () => {
  await start({ maxTotal: 2 * LARGE }, true)
  const [oldest] = [await ask('/large', '192.0.2.1'), await ask('/large', '192.0.2.1')]
  const third = await ask('/large', '192.0.2.1')
  expect(await bytesOf(third)).toBe(LARGE)
  expect(await bytesOf(oldest).catch(() => 0)).toBeLessThan(LARGE)
})

test('a response without progress is cut off, a slow one that makes progress is not', async () => {
  await start({ stalled: 500, maxPerClient: 10 * LARGE })
  const unread = await ask('/large', '192.0.2.1')
  const slow = await ask('/large', '192.0.2.1')
  const began = performance.now()
  let read = 0
  slow.on('data', ({ length }: Buffer) => {
    // Pauses after each megabyte, so that reading takes several times as long as a response may stall.
    const paused = Math.floor(read / 1024 ** 2) < Math.floor((read += length) / 1024 ** 2)
    if (!paused) return
    slow.pause()
    setTimeout(() => slow.resume(), 75)
  })
  await once(slow, 'close')
  expect(read).toBeGreaterThan(LARGE)
  expect(performance.now() - began).toBeGreaterThan(1000)
  expect(await bytesOf(unread).catch(() => 0)).toBeLessThan(LARGE)
})
