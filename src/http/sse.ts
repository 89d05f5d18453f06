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

/** Begins the stream on a response. A reader that lets more than `maxBuffer` bytes pile up is disconnected; it will come back. */
export function beginStream(response: ServerResponse, headers: Record<string, string>, maxBuffer: number): EventStream {
  const closed = new AbortController()
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  response.on('close', () => closed.abort())

  function write(text: string): void {
    if (closed.signal.aborted) return
    response.write(text)
    if (response.writableLength > maxBuffer) response.destroy()
  }

  write('retry: 2000\n\n')
  return {
    send: (event, id, data) => write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    comment: () => write(': still here\n\n'),
    close: () => void response.end(),
    closed: closed.signal,
  }
}
