import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { MemoryBudget } from '#core/memory-budget.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { TokenBuckets } from '#core/token-buckets.ts'
import type { Receive } from '#features/receiving/index.ts'
import { type Certificate, loadCertificate } from './certificate.ts'
import { clientAddress, ConnectionLimits, type Refusal } from './limits.ts'
import { makeRoomForMessages, stalledInLargestNetwork } from './make-room.ts'
import { SmtpMemoryBudget } from './memory.ts'
import { fixedSmtpOptions, type GivenSmtpOptions, type SmtpOptions } from './options.ts'
import { addressIn, readProxyHeader } from './proxies.ts'
import { replies } from './replies.ts'
import { SenderLimits } from './sender-limits.ts'
import { Session } from './session.ts'

interface SmtpServer {
  /** Rejects if the port is taken, and with `CertificateError` if the certificate cannot be used. */
  listen(): Promise<{ port: number }>
  /**
   * Stops accepting connections. Idle sessions get 421 at once. A message that is being transferred may arrive within
   * `shutdownGrace`. Resolves when all connections are closed.
   */
  close(): Promise<void>
  /** The hourly limits of senders, which are shared between nodes. */
  rates: Record<'smtpBytes' | 'smtpRefusals', TokenBuckets>
}

interface SmtpServerDeps {
  receive: Receive
  logger: Logger
  metrics: Metrics
  clock: Clock
  /** The memory budget for messages in the whole service. Without it, only `maxBufferedBytes` applies. */
  memory?: MemoryBudget
}

const BACKLOG = 1024

/** Creates the SMTP receiver. */
export function createSmtpServer(given: GivenSmtpOptions, deps: SmtpServerDeps): SmtpServer {
  const options: SmtpOptions = { ...fixedSmtpOptions, ...given }
  const { logger, metrics } = deps
  const limits = new ConnectionLimits(options)
  const budget = new SmtpMemoryBudget(options.maxBufferedBytes, deps.memory)
  budget.onWait = () => metrics.count('smtp_memory_waits')
  const senders = new SenderLimits(options, () => performance.now())
  /** The open sessions and their clients. */
  const sessions = new Map<Session, { address: string; network: string | undefined }>()
  /** Connections from proxies whose header has not arrived yet. */
  const awaitingHeader = new Set<Socket>()
  const isProxy = addressIn(options.proxies)
  let certificate: Certificate | undefined
  let ticker: NodeJS.Timeout | undefined

  const server = createServer({ noDelay: true, allowHalfOpen: true })

  function connected(socket: Socket, { current }: Certificate): void {
    if (socket.remoteAddress === undefined) {
      // Already reset, as load balancers do in health checks.
      metrics.count('smtp_connections', { outcome: 'gone' })
      return void socket.on('error', () => {}).destroy()
    }
    const peer = clientAddress(socket.remoteAddress)
    const refusal = limits.enter()
    if (refusal) return refuse(socket, refusal)
    metrics.gauge('smtp_connections_open', limits.total)
    if (!isProxy(peer)) return admit(socket, peer, current)
    awaitingHeader.add(socket)
    readProxyHeader(socket, options.proxyHeaderTimeout, (outcome) => {
      awaitingHeader.delete(socket)
      if (typeof outcome === 'object') return admit(socket, clientAddress(outcome.source ?? peer), current)
      release()
      metrics.count('smtp_connections', { outcome: outcome === 'gone' ? outcome : `proxy_${outcome}` })
      if (outcome !== 'gone') logger.warn({ proxy: peer, header: outcome }, 'SMTP connection without a PROXY header')
    })
  }

  /** Starts the session of a client whose address is known. */
  function admit(socket: Socket, address: string, secureContext: Certificate['current']): void {
    // A proxy that does not name its client stands for many.
    const share = budget.of(isProxy(address) ? undefined : address)
    const refusal = refusalOf(address, share.network)
    if (refusal) {
      release()
      return refuse(socket, refusal)
    }
    metrics.count('smtp_connections', { outcome: 'accepted' })
    const session: Session = new Session(socket, address, {
      ...deps,
      options,
      share,
      senders,
      secureContext,
      ended: () => leave(session),
    })
    sessions.set(session, { address, network: share.network })
  }

  /** Counts a connection, or returns why it is refused. */
  function refusalOf(address: string, network: string | undefined): Refusal | undefined {
    if (network !== undefined && !senders.of(address).connect()) return 'rate'
    const refusal = limits.admit(address)
    return refusal === 'share' && closeStalled(network) ? limits.admit(address, { replaces: true }) : refusal
  }

  /** Closes a stalled session so that `network`, which has fewer connections, gets its place. */
  function closeStalled(network: string | undefined): boolean {
    const connectionsOf = (session: Session): number => limits.heldBy(sessions.get(session)?.network)
    const session = stalledInLargestNetwork(sessions.keys(), limits.heldBy(network), connectionsOf)
    if (!session) return false
    session.giveUp()
    session.destroy()
    leave(session)
    return true
  }

  /** Counts a session no more. */
  function leave(session: Session): void {
    const client = sessions.get(session)
    if (!client) return
    sessions.delete(session)
    release(client.address)
  }

  function release(address?: string): void {
    limits.release(address)
    metrics.gauge('smtp_connections_open', limits.total)
  }

  function refuse(socket: Socket, outcome: Refusal): void {
    metrics.count('smtp_connections', { outcome })
    socket.on('error', () => socket.destroy())
    socket.write(replies.tooManyConnections)
    socket.destroySoon()
  }

  function tick(): void {
    const now = performance.now()
    for (const session of sessions.keys()) session.tick(now)
    makeRoomForMessages(sessions.keys(), now)
    metrics.gauge('smtp_buffered_bytes', budget.used)
  }

  return {
    rates: { smtpBytes: senders.bytes, smtpRefusals: senders.refusals },

    async listen() {
      const loaded = await loadCertificate(options, deps)
      certificate = loaded
      server.on('connection', (socket) => connected(socket, loaded))
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host: options.host, port: options.port, backlog: BACKLOG }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      server.on('error', (error: NodeJS.ErrnoException) => logger.error({ reason: error.code }, 'SMTP listener failed'))
      ticker = setInterval(tick, options.tick)
      const { port } = server.address() as AddressInfo
      return { port }
    },

    async close() {
      certificate?.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of awaitingHeader) socket.destroy()
      for (const session of sessions.keys()) session.shutDown()
      const grace = setTimeout(() => {
        logger.warn({ sessions: sessions.size }, 'SMTP sessions closed at the end of the grace period')
        for (const session of sessions.keys()) session.destroy()
      }, options.shutdownGrace)
      await closed
      clearTimeout(grace)
      clearInterval(ticker)
    },
  }
}
