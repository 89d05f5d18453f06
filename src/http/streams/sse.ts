import type { ServerResponse } from 'node:http'

/** A reader that takes nothing for so long is gone. In milliseconds. */
const STALLED = 30_000

/** One Server-Sent Events stream (HTML standard 9.2). */
export interface EventStream {
  send(event: string, id: number, data: object): void
  /** Resolves when the reader can take more, or is gone: what was missed may be more than memory for one reader. */
  flushed(): Promise<void>
  /** A comment keeps proxies from closing a quiet stream. */
  comment(): void
  close(): void
  /** Aborts when either side has closed. */
  readonly closed: AbortSignal
}

/** Aborts when the connection has closed, also where that was before. */
export function closedSignal(response: ServerResponse): AbortSignal {
  if (response.closed) return AbortSignal.abort()
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  return closed.signal
}

/** Begins the stream on a response. A reader that lets more than `maxBuffer` bytes pile up is disconnected; it will come back. */
export function beginStream(response: ServerResponse, headers: Record<string, string>, maxBuffer: number): EventStream {
  const closed = closedSignal(response)
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    // Else a proxy would keep the connection when the stream has ended, and a stop would wait for it.
    connection: 'close',
  })

  let written = Promise.resolve()

  function write(text: string): void {
    if (closed.aborted || response.writableEnded) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = (): void => {
      closed.removeEventListener('abort', done)
      resolve()
    }
    written = promise
    response.write(text, done)
    // What is written when the reader has ended and the connection has not, Node drops without a word.
    closed.addEventListener('abort', done)
    if (response.writableLength > maxBuffer) response.destroy()
  }

  write('retry: 2000\n\n')
  return {
    async flushed() {
      const timer = setTimeout(() => response.destroy(), STALLED)
      await written
      clearTimeout(timer)
    },
    send: (event, id, data) => write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    comment: () => write(': still here\n\n'),
    close: () => void response.end(),
    closed,
  }
}
