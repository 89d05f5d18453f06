import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginStream, closedSignal } from './sse.ts'

const server = createServer()
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** A response to write to, and the promise of what its reader receives. */
async function ask(): Promise<{ response: ServerResponse; answer: Promise<IncomingMessage>; leave: () => void }> {
  const requested = once(server, 'request')
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  request.on('error', () => {})
  const answer = new Promise<IncomingMessage>((resolve) => request.on('response', resolve))
  const [, response] = (await requested) as [IncomingMessage, ServerResponse]
  return { response, answer, leave: () => request.destroy() }
}

test('a stream has events with ids, comments, and an end', async () => {
  const { response, answer } = await ask()
  const stream = beginStream(response, { 'x-own': 'kept', 'cache-control': 'private' }, 1000)
  stream.send('message', 7, { subject: 'two\nlines' })
  stream.comment()
  stream.close()
  const reader = await answer
  expect(reader.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-own': 'kept',
  })
  let text = ''
  for await (const part of reader) text += String(part)
  expect(text).toBe('retry: 2000\n\nid: 7\nevent: message\ndata: {"subject":"two\\nlines"}\n\n: still here\n\n')
  expect(stream.closed.aborted).toBe(true)
  stream.send('message', 8, {})
})

test('a reader that does not read is disconnected', async () => {
  const { response, answer } = await ask()
  const stream = beginStream(response, {}, 100_000)
  const reader = await answer
  reader.pause().on('error', () => {})
  // More than the buffers of the kernel, which can't be counted.
  for (let id = 0; id < 500 && !stream.closed.aborted; id++) {
    stream.send('message', id, { text: 'x'.repeat(50_000) })
    if (response.destroyed) break
    await new Promise(setImmediate)
  }
  expect(response.destroyed).toBe(true)
  await expect.poll(() => stream.closed.aborted).toBe(true)
})

test('a connection that closed before the stream began is closed', async () => {
  const { response, leave } = await ask()
  const before = closedSignal(response)
  expect(before.aborted).toBe(false)
  const closed = once(response, 'close')
  leave()
  await closed
  expect(before.aborted).toBe(true)
  expect(closedSignal(response).aborted).toBe(true)
})

test('waits for a leaving reader no longer than for its connection', async () => {
  const { response, answer } = await ask()
  const stream = beginStream(response, {}, 1000)
  const reader = await answer
  const flushed = new Promise<void>((resolve) => {
    response.socket?.once('end', () => {
      stream.send('message', 1, {})
      resolve(stream.flushed())
    })
  })
  reader.socket.end()
  await flushed
})

test('the last event tells a reader that a stream ends for good, and has no id', async () => {
  const { response, answer } = await ask()
  const stream = beginStream(response, {}, 1000)
  stream.send('message', 7, {})
  stream.end()
  stream.end()
  stream.close()
  let text = ''
  for await (const part of await answer) text += String(part)
  expect(text).toBe('retry: 2000\n\nid: 7\nevent: message\ndata: {}\n\nevent: end\ndata: {}\n\n')
})
