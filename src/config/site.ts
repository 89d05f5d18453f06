import { isIPv6 } from 'node:net'
import { isLocalSite } from '#core/local-site.ts'
import { ConfigError } from './load.ts'
import type { Config } from './table.ts'

/** A host as URLs have it: IPv6 in brackets. */
export const inUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

const isWildcard = (host: string): boolean => host === '0.0.0.0' || /^[0:]+$/.test(host)

/** Where the site is as far as the settings say: where it listens, unless PUBLIC_URL says more. Without a port there. */
export const configuredSite = ({ PUBLIC_URL, HOST }: Pick<Config, 'PUBLIC_URL' | 'HOST'>): string =>
  PUBLIC_URL ?? `http://${inUrl(HOST)}`

/** The same for links, where PUBLIC_URL is not set: a site that listens everywhere is looked at from its own machine. */
export const ownSite = ({ HOST }: Pick<Config, 'HOST'>): string => {
  const url = `http://${inUrl(HOST)}`
  return isLocalSite(url) || isWildcard(HOST) ? 'http://localhost' : url
}

/** Whether nobody but this machine connects: it is for that alone by the settings, and no proxy passes others on. */
export const isOnlyHere = (config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'SMTP_PROXIES'>): boolean =>
  isLocalSite(`http://${inUrl(config.HOST)}`) && isLocalSite(configuredSite(config)) && config.SMTP_PROXIES.length === 0

/** A warning where others than this machine can connect, and no address is set at which they are to; else undefined. */
export function exposureOf({ HOST, PUBLIC_URL }: Pick<Config, 'PUBLIC_URL' | 'HOST'>): string | undefined {
  if (isLocalSite(`http://${inUrl(HOST)}`) || (PUBLIC_URL !== undefined && !isLocalSite(PUBLIC_URL))) return undefined
  const set = PUBLIC_URL === undefined ? 'not set' : PUBLIC_URL
  return `MAYFLY_HOST is ${HOST}, so other machines can connect, but MAYFLY_PUBLIC_URL is ${set}: requests for other hosts are refused, and cookies are not Secure. Set it to the address that visitors use`
}

/** Throws `ConfigError` for settings that must not run: a checkout that moves no money, on a site that others buy at. */
export function checkStart({ PAYMENT_SANDBOX, PUBLIC_URL }: Pick<Config, 'PAYMENT_SANDBOX' | 'PUBLIC_URL'>): void {
  if (PAYMENT_SANDBOX !== 'on' || !PUBLIC_URL?.startsWith('https:') || isLocalSite(PUBLIC_URL)) return
  throw new ConfigError(
    `MAYFLY_PAYMENT_SANDBOX is "on" and MAYFLY_PUBLIC_URL is ${PUBLIC_URL}: everybody would get Premium without paying; expected is off, or on-public-site if that is what you want`,
  )
}

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
