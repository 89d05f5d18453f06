import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Clock, Logger, Metrics } from '#core/ports.ts'
import type { Receive } from '#features/receive.ts'
import { type Certificate, loadCertificate } from './certificate.ts'
import { clientAddress, ConnectionLimits, MemoryBudget } from './limits.ts'
import { defaultSmtpOptions, type SmtpOptions } from './options.ts'
import { replies } from './replies.ts'
import { Session } from './session.ts'

export interface SmtpServer {
  /** Rejects where the port is taken or the certificate can't be used. */
  listen(): Promise<{ port: number }>
  /**
   * Takes no more connections; idle sessions get 421 at once, a mail on its way may arrive within `shutdownGrace`.
   * Resolves when every connection is gone.
   */
  close(): Promise<void>
}

export interface SmtpServerDeps {
  receive: Receive
  logger: Logger
  metrics: Metrics
  clock: Clock
}

const BACKLOG = 1024

/** The SMTP receiver. What is left out of `given` has its default. */
export function createSmtpServer(
  given: Partial<SmtpOptions> & Pick<SmtpOptions, 'hostname'>,
  deps: SmtpServerDeps,
): SmtpServer {
  const options: SmtpOptions = { ...defaultSmtpOptions, ...given }
  const { logger, metrics } = deps
  const limits = new ConnectionLimits(options)
  const budget = new MemoryBudget(options.maxBufferedBytes)
  const sessions = new Set<Session>()
  let certificate: Certificate | undefined
  let ticker: NodeJS.Timeout | undefined

  const server = createServer({ noDelay: true, allowHalfOpen: true }, connected)

  function connected(socket: Socket): void {
    const address = clientAddress(socket.remoteAddress ?? '')
    const refusal = limits.admit(address)
    if (refusal || !certificate) {
      metrics.count('smtp_connections', { outcome: refusal ?? 'closed' })
      socket.on('error', () => socket.destroy())
      socket.write(replies.tooManyConnections)
      socket.destroySoon()
      return
    }
    metrics.count('smtp_connections', { outcome: 'accepted' })
    metrics.gauge('smtp_connections_open', limits.total)
    const session: Session = new Session(socket, address, {
      ...deps,
      options,
      budget,
      secureContext: certificate.current,
      ended() {
        sessions.delete(session)
        limits.release(address)
        metrics.gauge('smtp_connections_open', limits.total)
      },
    })
    sessions.add(session)
  }

  function tick(): void {
    const now = performance.now()
    for (const session of sessions) session.tick(now)
    metrics.gauge('smtp_buffered_bytes', budget.used)
  }

  return {
    async listen() {
      certificate = await loadCertificate(options, deps)
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host: options.host, port: options.port, backlog: BACKLOG }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      server.on('error', (error: NodeJS.ErrnoException) => logger.error({ reason: error.code }, 'SMTP listener'))
      ticker = setInterval(tick, options.tick)
      const { port } = server.address() as AddressInfo
      logger.info({ port }, 'SMTP listens')
      return { port }
    },

    async close() {
      certificate?.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of sessions) session.shutDown()
      const grace = setTimeout(() => {
        logger.warn({ sessions: sessions.size }, 'SMTP sessions cut off at the end of the grace period')
        for (const session of sessions) session.destroy()
      }, options.shutdownGrace)
      await closed
      clearTimeout(grace)
      clearInterval(ticker)
    },
  }
}
