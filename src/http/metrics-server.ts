import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from '#core/telemetry.ts'

/** The default port of OpenTelemetry's Prometheus exporters. */
const DEFAULT_METRICS_PORT = 9464
const HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
/** Time limit for a request in milliseconds. */
const REQUEST_TIMEOUT = 10_000

interface MetricsServerOptions {
  host: string
  /** 0: any free port. Undefined: the default port, or any free one if another program uses it. */
  port: number | undefined
  render(): Promise<{ contentType: string; body: string }>
  logger: Logger
}

export interface MetricsServer {
  port: number
  close(): Promise<void>
}

/**
 * Listens for Prometheus on a separate address, so that no proxy rule can expose metrics to the public. Rejects if it
 * can't listen.
 */
export async function startMetricsServer({ host, port, render, logger }: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT }, async (request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path !== '/metrics') return void response.writeHead(404, HEADERS).end()
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { ...HEADERS, allow: 'GET, HEAD' }).end()
    try {
      const { contentType, body } = await render()
      response.writeHead(200, { ...HEADERS, 'content-type': contentType }).end(body)
    } catch (error) {
      logger.error({ err: error }, 'metrics failed')
      response.writeHead(500, HEADERS).end()
    }
  })
  const listen = (at: number): Promise<void> =>
    new Promise((done, reject) => {
      server.once('error', reject).listen(at, host, () => {
        server.off('error', reject)
        done()
      })
    })
  await listen(port ?? DEFAULT_METRICS_PORT).catch((error: NodeJS.ErrnoException) => {
    if (port !== undefined || error.code !== 'EADDRINUSE') throw error
    server.removeAllListeners('error')
    return listen(0)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
