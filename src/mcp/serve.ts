import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, localhostAllowedHostnames } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ServiceOptions } from '#client/index.ts'
import { Inboxes } from './inboxes.ts'
import { createServer } from './tools.ts'

export interface McpOptions {
  service: ServiceOptions & { url: string }
  version: string
  /** Stops the server. */
  signal: AbortSignal
  /** Prints an error that no tool call can report. It must not use standard output, which carries the protocol. */
  printError(line: string): void
}

/** The path of the HTTP transport. */
const PATH = '/mcp'
/** A client that ends the process waits about this long before it kills it, in milliseconds. */
const CLEAN_UP = 1500

const aborted = (signal: AbortSignal): Promise<unknown> => (signal.aborted ? Promise.resolve() : once(signal, 'abort'))

async function cleanUp(inboxes: Inboxes): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, CLEAN_UP).unref())
  await Promise.race([inboxes.deleteAll(), late])
}

/** Serves one client on standard input and output until it closes them. */
export async function serveOnStdio({ service, version, signal, printError }: McpOptions): Promise<void> {
  const inboxes = new Inboxes(service)
  const handle = serveStdio(() => createServer({ inboxes, url: service.url, version }), {
    onerror: ({ message }) => printError(message),
  })
  await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), aborted(signal)])
  await handle.close()
  await cleanUp(inboxes)
  process.stdin.destroy()
}

/**
 * Serves clients over HTTP (Streamable HTTP, MCP specification "Transports"). Requests for other host names and of
 * pages of other sites get 403: a site could point its own name to this machine (DNS rebinding). `listening` is called
 * with the URL.
 */
export async function serveOnHttp(
  { service, version, signal, printError }: McpOptions,
  { host, port, listening }: { host: string; port: number; listening(url: string): void },
): Promise<void> {
  const inboxes = new Inboxes(service)
  const onerror = ({ message }: Error): void => printError(message)
  const handler = createMcpHandler(() => createServer({ inboxes, url: service.url, version }), { onerror })
  const inUrl = host.includes(':') ? `[${host}]` : host
  const names = [...localhostAllowedHostnames(), inUrl]
  const [isHostAllowed, isOriginAllowed] = [hostHeaderValidation(names), originValidation(names)]
  const respond = toNodeHandler(handler, { onerror })
  const server = createHttpServer((request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return
    if (request.url?.split('?', 1)[0] !== PATH) return void response.writeHead(404).end()
    // Its type does not allow properties that are undefined.
    respond(request as Parameters<typeof respond>[0], response).catch(onerror)
  })
  server.listen(port, host)
  await once(server, 'listening')
  listening(`http://${inUrl}:${(server.address() as AddressInfo).port}${PATH}`)
  await aborted(signal)
  server.close()
  await handler.close()
  server.closeAllConnections()
  await cleanUp(inboxes)
}
