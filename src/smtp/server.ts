import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { MemoryBudget } from '#core/memory-budget.ts'
import { sharingNetwork } from '#core/networks.ts'
import type { Logger, Metrics } from '#core/telemetry.ts'
import type { Clock } from '#core/time.ts'
import type { TokenBuckets } from '#core/token-buckets.ts'
import type { Receive } from '#features/receiving/index.ts'
import { type Certificate, loadCertificate } from './certificate.ts'
import { type Client, clientAddress, ConnectionLimits, type Refusal } from './limits.ts'
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
/** Sessions whose place was given away that may still take their time to close. */
const CLOSING_MAX = 100

/** Creates the SMTP receiver. */
export function createSmtpServer(given: GivenSmtpOptions, deps: SmtpServerDeps): SmtpServer {
  const options: SmtpOptions = { ...fixedSmtpOptions, ...given }
  const { logger, metrics } = deps
  const limits = new ConnectionLimits(options)
  const onWait = (): void => metrics.count('smtp_memory_waits')
  const budget = new SmtpMemoryBudget(options.maxBufferedBytes, deps.memory, onWait)
  const senders = new SenderLimits(options, () => performance.now())
  /** The open sessions and their clients. Undefined if the place of a session was given to another client. */
  const sessions = new Map<Session, Client | undefined>()
  /** False from a search in vain for a stalled session to the next tick, because it looks at all sessions. */
  let mayHaveStalled = true
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
    const client = { address, network: isProxy(address) ? undefined : sharingNetwork(address) }
    const refusal = refusalOf(client)
    if (refusal) {
      release()
      return refuse(socket, refusal)
    }
    metrics.count('smtp_connections', { outcome: 'accepted' })
    const session: Session = new Session(socket, address, {
      ...deps,
      options,
      share: budget.of(client.network),
      senders,
      secureContext,
      ended: () => leave(session),
    })
    sessions.set(session, client)
  }

  /** Counts a connection, or returns why it is refused. */
  function refusalOf(client: Client): Refusal | undefined {
    const sender = client.network === undefined ? undefined : senders.of(client.address)
    if (sender?.mayConnect() === false) return 'rate'
    let refusal = limits.admit(client)
    if (refusal === 'share' && closeStalled(client.network)) refusal = limits.admit(client)
    // Attempts that are refused cost nothing, so a client with as many connections as it may have can replace them.
    if (!refusal) sender?.connected()
    return refusal
  }

  /** Ends a stalled session so that `network`, which has fewer connections, gets its place. */
  function closeStalled(network: string | undefined): boolean {
    if (!mayHaveStalled || sessions.size >= options.maxConnections + CLOSING_MAX) return false
    const connectionsOf = (session: Session): number => limits.heldBy(sessions.get(session)?.network)
    const session = stalledInLargestNetwork(sessions.keys(), limits.heldBy(network), connectionsOf)
    mayHaveStalled = session !== undefined
    if (!session) return false
    session.giveUp()
    release(sessions.get(session))
    sessions.set(session, undefined)
    return true
  }

  function leave(session: Session): void {
    const client = sessions.get(session)
    sessions.delete(session)
    if (client) release(client)
  }

  function release(client?: Client): void {
    limits.release(client)
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
    mayHaveStalled = true
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
