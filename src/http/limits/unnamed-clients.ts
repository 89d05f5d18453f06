import type { FastifyInstance } from 'fastify'
import { hostNameOf } from '#core/local-site.ts'
import { isLoopback, isPrivateAddress, isPrivateHost } from '#core/networks.ts'
import type { Logger } from '#core/telemetry.ts'
import type { HttpOptions } from '../options.ts'
import { ANY_HOST } from '../request-origin.ts'

const WARNING =
  'visitors share the limits of one: let every proxy before the site set X-Forwarded-For to the IP address of its client, and name all proxies in MAYFLY_TRUSTED_PROXIES'

/**
 * Warns once if a visitor of a public site seems to have a private IP address: it is that of a proxy, which does not name
 * its clients or is not trusted. Then all of them count as one client.
 */
export function warnOfUnnamedClients(
  app: FastifyInstance,
  site: Pick<HttpOptions, 'publicUrl'>,
  logger: Pick<Logger, 'warn'>,
): void {
  let isKnown = false
  app.addHook('onRequest', async ({ ip, host, routeOptions, raw }) => {
    if (isKnown || (!isLoopback(ip) && !isPrivateAddress(ip)) || ANY_HOST.has(routeOptions.url)) return
    const { protocol, hostname } = new URL(site.publicUrl)
    if (protocol !== 'https:' || isPrivateHost(hostname) || hostNameOf(host ?? '') !== hostname) return
    isKnown = true
    logger.warn({ proxy: raw.socket.remoteAddress }, WARNING)
  })
}
