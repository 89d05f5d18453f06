import type { ServerResponse } from 'node:http'

/** A reader that takes nothing for this long is disconnected, in milliseconds. */
const STALLED = 30_000

/** A stream of Server-Sent Events (HTML standard 9.2). */
export interface EventStream {
  /** Without a name, it is a `message` event. */
  send(event: string | undefined, id: number | string, data: object): void
  /**
   * Resolves when the reader can take more or is gone. Missed changes may be more than fits in memory for one reader.
   */
  flushed(): Promise<void>
  /** A comment keeps proxies from closing an idle stream. */
  comment(): void
  /** Tells the reader that there will be no more events, so that it need not reconnect to find out, and closes. */
  end(): void
  close(): void
  /** Aborts when either side has closed. */
  readonly closed: AbortSignal
}

/** Aborts when the connection has closed, even if that was earlier. */
export function closedSignal(response: ServerResponse): AbortSignal {
  if (response.closed) return AbortSignal.abort()
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  return closed.signal
}

/**
 * Starts the stream on a response. A reader with more than `maxBuffer` unread bytes is disconnected, and will
 * reconnect.
 */
export function beginStream(response: ServerResponse, headers: Record<string, string>, maxBuffer: number): EventStream {
  const closed = closedSignal(response)
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    // Otherwise a proxy would keep the connection after the end of the stream, and a stop would wait for it.
    connection: 'close',
  })
  // Otherwise Node keeps the head as a tree of its parts, which takes 3 KB for as long as the stream is open.
  response.flushHeaders()

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
    // Node silently drops writes after the reader has ended, even if the connection is still open.
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
    send: (event, id, data) =>
      write(`id: ${id}\n${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`),
    comment: () => write(': still here\n\n'),
    end() {
      // Without an id, so that the one to resume after stays.
      write('event: end\ndata: {}\n\n')
      response.end()
    },
    close: () => void response.end(),
    closed,
  }
}
