import type { ServerResponse } from 'node:http'

/** One Server-Sent Events stream (HTML standard 9.2). */
export interface EventStream {
  send(event: string, id: number, data: object): void
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
  })

  function write(text: string): void {
    if (closed.aborted) return
    response.write(text)
    if (response.writableLength > maxBuffer) response.destroy()
  }

  write('retry: 2000\n\n')
  return {
    send: (event, id, data) => write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    comment: () => write(': still here\n\n'),
    close: () => void response.end(),
    closed,
  }
}
