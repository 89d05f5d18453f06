import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { type ErrorCode, MayflyError } from '#core/errors.ts'
import { FairShares } from '#core/fair-shares.ts'
import { sharingNetwork, visitorNetworks } from '#core/networks.ts'
import type { Metrics } from '#core/telemetry.ts'
import { bareResponse, problemOf } from '../errors.ts'
import { OpenCounts, RETRY_AFTER } from './limits.ts'

interface ConnectionCaps {
  /** Open connections in total and per client. */
  maxConnections: number
  maxConnectionsPerClient: number
  /** Clients whose connections carry many visitors. Only the total limit applies to them. */
  trustedProxies: readonly string[]
}

/** How long a refused client may take to read the reason, in milliseconds. */
const LINGER = 1000
/** Refused connections that may wait for that. Further ones are closed without a response. */
const LINGERING_MAX = 100

/**
 * Refuses connections over the limits before anything is read from them, because each one takes a descriptor away from
 * SMTP and the store. Networks (IPv4 /24, IPv6 /48) have fair shares, so that others get in, as with SMTP.
 */
export function limitConnections(server: Server, caps: ConnectionCaps, metrics: Metrics): void {
  const { maxConnections, maxConnectionsPerClient } = caps
  const counts = new OpenCounts(maxConnectionsPerClient, Number.POSITIVE_INFINITY)
  const isProxy = among(caps.trustedProxies)
  const shares = new FairShares()
  let open = 0
  let lingering = 0

  /** Takes a place. Returns a function that gives it back, or undefined if there is none. */
  function enter(address: string): (() => void) | undefined {
    if (isProxy(address)) return () => {}
    const network = sharingNetwork(address)
    if (network !== undefined && !shares.allows(network, 1, maxConnections - open)) return undefined
    const leave = counts.enter(visitorNetworks(address))
    if (!leave) return undefined
    shares.add(network, 1)
    return () => {
      leave()
      shares.add(network, -1)
    }
  }

  function refuse(socket: Socket, code: ErrorCode): void {
    metrics.count('http_connections_refused', { cap: code === 'unavailable' ? 'total' : 'client' })
    socket.on('error', () => socket.destroy())
    if (lingering >= LINGERING_MAX) return void socket.destroy()
    lingering++
    const timer = setTimeout(() => socket.destroy(), LINGER)
    socket.once('close', () => {
      lingering--
      clearTimeout(timer)
    })
    // Received bytes are read and dropped. If the connection were closed with unread bytes, it would be reset and the
    // response lost.
    const problem = problemOf(new MayflyError(code, 'Too many open connections'))
    socket.resume().end(bareResponse(problem, { 'retry-after': RETRY_AFTER }))
  }

  const handlers = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    // The connection was reset before it was handled.
    if (remoteAddress === undefined) return void socket.on('error', () => {}).destroy()
    if (open >= maxConnections) return refuse(socket, 'unavailable')
    const leave = enter(remoteAddress)
    if (!leave) return refuse(socket, 'too_many_requests')
    metrics.gauge('http_connections_open', ++open)
    socket.once('close', () => {
      leave()
      metrics.gauge('http_connections_open', --open)
    })
    for (const handle of handlers) handle.call(server, socket)
  })
}

/** Returns whether an address is in the list or in one of its networks. */
function among(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [ip = '', bits] = network.split('/')
    const family = isIPv6(ip) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(ip, family)
    else list.addSubnet(ip, Number(bits), family)
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
