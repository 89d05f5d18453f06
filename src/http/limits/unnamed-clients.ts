import type { FastifyInstance } from 'fastify'
import { hostNameOf } from '#core/local-site.ts'
import { isLoopback, isPrivateAddress, isPrivateHost } from '#core/networks.ts'
import type { Logger } from '#core/telemetry.ts'
import type { HttpOptions } from '../options.ts'
import { ANY_HOST } from '../request-origin.ts'

const WARNING =
  'visitors share the limits of one: let every proxy before the site set X-Forwarded-For to the IP address of its client, and name all proxies in MAYFLY_TRUSTED_PROXIES'

/** The log names at most this many proxies. */
const MAX_WARNINGS = 10

/**
 * Warns if a visitor of a public site seems to have a private IP address that no trusted proxy named: it is that of a
 * proxy that does not send the IP addresses of its clients, or is not trusted. All its visitors then count as one client.
 * Warns once for each proxy.
 */
export function warnOfUnnamedClients(
  app: FastifyInstance,
  site: Pick<HttpOptions, 'publicUrl'>,
  logger: Pick<Logger, 'warn'>,
): void {
  const known = new Set<string | undefined>()
  app.addHook('onRequest', async ({ ip, ips = [], host, headers, routeOptions, raw }) => {
    const proxy = raw.socket.remoteAddress
    if (known.size >= MAX_WARNINGS || known.has(proxy)) return
    if ((!isLoopback(ip) && !isPrivateAddress(ip)) || ANY_HOST.has(routeOptions.url)) return
    const { protocol, hostname } = new URL(site.publicUrl)
    if (protocol !== 'https:' || isPrivateHost(hostname) || hostNameOf(host ?? '') !== hostname) return
    const named = headers['x-forwarded-for']?.toString().split(',').length ?? 0
    // The visitor is in the same private network if trusted proxies alone named it: `ips` begins with the peer.
    if (named > 0 && ips.length > named) return
    known.add(proxy)
    logger.warn({ proxy }, WARNING)
  })
}
