import { isIPv6 } from 'node:net'
import { isLocalSite } from '#core/local-site.ts'
import { ConfigError } from './load.ts'
import type { Config } from './table.ts'

/** A configuration of which only these settings of the server count. */
type Server<Name extends keyof Config['server']> = { server: Pick<Config['server'], Name> }

/** A host as URLs have it: IPv6 in brackets. */
export const inUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

const isWildcard = (host: string): boolean => host === '0.0.0.0' || /^[0:]+$/.test(host)

/** Where the site is as far as the settings say: where it listens, unless PUBLIC_URL says more. Without a port there. */
export const configuredSite = ({ server: { publicUrl, host } }: Server<'publicUrl' | 'host'>): string =>
  publicUrl ?? `http://${inUrl(host)}`

/** The same for links, where PUBLIC_URL is not set: a site that listens everywhere is looked at from its own machine. */
export const ownSite = ({ server: { host } }: Server<'host'>): string => {
  const url = `http://${inUrl(host)}`
  return isLocalSite(url) || isWildcard(host) ? 'http://localhost' : url
}

/** Whether nobody but this machine connects: it is for that alone by the settings, and no proxy passes others on. */
export const isOnlyHere = (config: Pick<Config, 'server' | 'smtp'>): boolean =>
  isLocalSite(`http://${inUrl(config.server.host)}`) &&
  isLocalSite(configuredSite(config)) &&
  config.smtp.proxies.length === 0

/** A warning where others than this machine can connect, and no address is set at which they are to; else undefined. */
export function exposureOf({ server: { host, publicUrl } }: Server<'publicUrl' | 'host'>): string | undefined {
  if (isLocalSite(`http://${inUrl(host)}`) || (publicUrl !== undefined && !isLocalSite(publicUrl))) return undefined
  const set = publicUrl === undefined ? 'not set' : publicUrl
  return `MAYFLY_HOST is ${host}, so other machines can connect, but MAYFLY_PUBLIC_URL is ${set}: requests for other hosts are refused, and cookies are not Secure. Set it to the address that visitors use`
}

/** A warning if other people can use the checkout that moves no money; otherwise undefined. */
export function sandboxExposure(config: Pick<Config, 'payments' | 'server'>): string | undefined {
  const { sandbox } = config.payments
  if ((sandbox !== 'on' && sandbox !== 'on-public-site') || isLocalSite(configuredSite(config))) return undefined
  return `MAYFLY_PAYMENT_SANDBOX is "${sandbox}": every visitor of ${configuredSite(config)} gets Premium without paying`
}

/** Throws `ConfigError` for settings that must not run: a checkout that moves no money, on a site that others buy at. */
export function checkStart({
  payments: { sandbox },
  server: { publicUrl },
}: Pick<Config, 'payments' | 'server'>): void {
  if (sandbox !== 'on' || !publicUrl?.startsWith('https:') || isLocalSite(publicUrl)) return
  throw new ConfigError(
    `MAYFLY_PAYMENT_SANDBOX is "on" and MAYFLY_PUBLIC_URL is ${publicUrl}: everybody would get Premium without paying; expected is off, or on-public-site if that is what you want`,
  )
}

/** By what name this service is known to other mail servers. */
export const mailHostOf = ({ smtp: { hostname }, server: { domains } }: Pick<Config, 'smtp' | 'server'>): string =>
  hostname ?? domains[0] ?? 'localhost'

/** Where forwarded mail goes: through the relay; without one into files, where nobody but the operator visits; else nowhere. */
export function forwardingWay(config: Pick<Config, 'server' | 'email' | 'forwarding'>): 'relay' | 'outbox' | 'none' {
  if (config.email.relayUrl !== undefined) return 'relay'
  const here =
    config.forwarding.outbox === 'auto' ? isLocalSite(configuredSite(config)) : config.forwarding.outbox === 'on'
  return here ? 'outbox' : 'none'
}
