import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as the fake receives it. */
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
  /** Redirects the browser. */
  location?: string
  headers?: Record<string, string>
}

/** Makes calls of the API fail. Pages are not affected. */
interface Faults {
  /** Responds to this many calls with this status, and with an error of the API or of a proxy. */
  fail(status: number, times?: number, body?: string): void
  /** Responds with this status to all calls whose path contains `part` or matches it. */
  failAt(part: string | RegExp, status: number): void
  /** Accepts calls and never responds. */
  hang(times?: number): void
  /** Removes all failures. */
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

/** An HTTP server on a free loopback port. Requests whose path matches `api` are calls of its API. */
export async function serve(api: RegExp, handle: (call: Call) => Answer | Promise<Answer>): Promise<FakeServer> {
  let failing: { part: string | RegExp; status: number } | undefined
  let fault: { status: number | 'hang'; left: number; body: string } | undefined
  const calls: Call[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://fake')
    const call = { method: request.method ?? 'GET', path, query, headers: request.headers, body: await text(request) }
    // Some browsers request an icon from every site.
    if (path === '/favicon.ico') return void response.writeHead(204).end()
    const isApi = api.test(path)
    if (isApi) calls.push(call)
    if (isApi && fault && fault.left-- > 0) {
      if (fault.status !== 'hang') response.writeHead(fault.status).end(fault.body)
      return
    }
    if (isApi && failing && path.search(failing.part) >= 0) {
      response.writeHead(failing.status, { 'content-type': 'application/json' }).end(PROBLEM)
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
      failAt: (part, status) => void (failing = { part, status }),
      hang: (left = Infinity) => void (fault = { status: 'hang', left, body: '' }),
      heal: () => void (fault = failing = undefined),
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A page with a title and buttons that post to a path. */
export function page(title: string, buttons: Record<string, string>): Answer {
  const forms = Object.entries(buttons).map(
    ([word, action]) => `<form method="post" action="${action}"><button>${word}</button></form>`,
  )
  return { html: `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${forms.join('')}` }
}
