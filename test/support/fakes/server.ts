import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as a third party sees it. */
export interface Call {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

export interface Answer {
  status?: number
  json?: unknown
  html?: string
  /** Sends the browser there. */
  location?: string
  headers?: Record<string, string>
}

/** What goes wrong at a third party, for so many calls of its API; its pages go on. */
export interface Faults {
  /** Answers with this status, and a body of an error of its own or of a proxy before it. */
  fail(status: number, times?: number, body?: string): void
  /** Takes calls and never answers. */
  hang(times?: number): void
  /** All is well again. */
  heal(): void
}

export interface FakeServer {
  url: string
  faults: Faults
  /** All calls of the API so far. */
  calls: Call[]
  close(): Promise<void>
}

const PROBLEM = JSON.stringify({ error: { type: 'api_error', message: 'Something went wrong' } })

/** An HTTP server on a free port of the loopback. Calls of its API are those whose path matches `api`. */
export async function serve(api: RegExp, handle: (call: Call) => Answer | Promise<Answer>): Promise<FakeServer> {
  let fault: { status: number | 'hang'; left: number; body: string } | undefined
  const calls: Call[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake')
    const call = { method: request.method ?? 'GET', path, query, headers: request.headers, body: await text(request) }
    // Some browsers ask every site for its icon.
    if (path === '/favicon.ico') return void response.writeHead(204).end()
    const isApi = api.test(path)
    if (isApi) calls.push(call)
    if (isApi && fault && fault.left-- > 0) {
      if (fault.status !== 'hang') response.writeHead(fault.status).end(fault.body)
      return
    }
    const { status = 200, json, html, location, headers } = await handle(call)
    if (location !== undefined) response.writeHead(303, { location }).end()
    else if (html !== undefined) response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    faults: {
      fail: (status, left = Infinity, body = PROBLEM) => void (fault = { status, left, body }),
      hang: (left = Infinity) => void (fault = { status: 'hang', left, body: '' }),
      heal: () => void (fault = undefined),
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A page of a third party: a title, and buttons that post to a path. */
export function page(title: string, buttons: Record<string, string>): Answer {
  const forms = Object.entries(buttons).map(
    ([word, action]) => `<form method="post" action="${action}"><button>${word}</button></form>`,
  )
  return { html: `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${forms.join('')}` }
}
