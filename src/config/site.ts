import { isIPv6 } from 'node:net'
import { isLocalSite } from '#core/local-site.ts'
import type { Config } from './table.ts'

/** A host as URLs have it: IPv6 in brackets. */
export const inUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** Where the site is as far as the settings say: where it listens, unless PUBLIC_URL says more. Without a port there. */
export const configuredSite = ({ PUBLIC_URL, HOST }: Pick<Config, 'PUBLIC_URL' | 'HOST'>): string =>
  PUBLIC_URL ?? `http://${inUrl(HOST)}`

/** By what name this service is known to other mail servers. */
export const mailHostOf = ({ SMTP_HOSTNAME, DOMAINS }: Pick<Config, 'SMTP_HOSTNAME' | 'DOMAINS'>): string =>
  SMTP_HOSTNAME ?? DOMAINS[0] ?? 'localhost'

type OutboundSettings = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'OUTBOUND_URL' | 'FORWARD_OUTBOX'>

/** Where forwarded mail goes: through the relay; without one into files, where nobody but the operator visits; else nowhere. */
export function forwardingWay(config: OutboundSettings): 'relay' | 'outbox' | 'none' {
  if (config.OUTBOUND_URL !== undefined) return 'relay'
  const here = config.FORWARD_OUTBOX === 'auto' ? isLocalSite(configuredSite(config)) : config.FORWARD_OUTBOX === 'on'
  return here ? 'outbox' : 'none'
}
