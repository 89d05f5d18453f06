import { isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { isLocalSite, isPublicSite, isWildcard } from '#core/local-site.ts'
import { domainOf } from '#core/mailbox/domain.ts'
import { ConfigError } from './load.ts'
import { type Config, type Key, PREFIX, RETIRED } from './table.ts'

/** The part of a configuration that has the given settings of the group `server`. */
type Server<Name extends keyof Config['server']> = { server: Pick<Config['server'], Name> }

/** Returns a host as it is written in a URL: IPv6 addresses in brackets. */
export const inUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** Returns `MAYFLY_PUBLIC_URL`, or else the URL of the host that the site listens on, without a port. */
export const configuredSite = ({ server: { publicUrl, host } }: Server<'publicUrl' | 'host'>): string =>
  publicUrl ?? `http://${inUrl(host)}`

/**
 * Returns the URL for links if `MAYFLY_PUBLIC_URL` is not set, without a port. It is localhost if the site listens on
 * all interfaces.
 */
export const ownSite = ({ server: { host } }: Server<'host'>): string => {
  const url = `http://${inUrl(host)}`
  return isLocalSite(url) || isWildcard(host) ? 'http://localhost' : url
}

/** Whether only this machine connects: host and URL are local, and no SMTP proxy passes on other clients. */
export const isOnlyLocal = (config: Pick<Config, 'server' | 'smtp'>): boolean =>
  isLocalSite(`http://${inUrl(config.server.host)}`) &&
  isLocalSite(configuredSite(config)) &&
  config.smtp.proxies.length === 0

/** Returns a warning if other machines can connect but no public URL is set for them. */
export function exposureWarning({ server: { host, publicUrl } }: Server<'publicUrl' | 'host'>): string | undefined {
  if (isLocalSite(`http://${inUrl(host)}`) || (publicUrl !== undefined && !isLocalSite(publicUrl))) return undefined
  const current = publicUrl ?? 'not set'
  return `MAYFLY_HOST is ${host}, so other machines can connect, but MAYFLY_PUBLIC_URL is ${current}: requests for other hosts are refused, and cookies are not Secure. Set it to the address that visitors use`
}

/** Returns a warning if strangers can use the checkout that moves no money. */
export function sandboxWarning(config: Pick<Config, 'payments' | 'server'>): string | undefined {
  const { sandbox } = config.payments
  if ((sandbox !== 'on' && sandbox !== 'on-public-site') || isLocalSite(configuredSite(config))) return undefined
  return `MAYFLY_PAYMENT_SANDBOX is "${sandbox}": every visitor of ${configuredSite(config)} gets Premium without paying`
}

/** Returns a warning if a public site does not say who runs it, as privacy laws demand. */
export function operatorWarning({ operator, server: { publicUrl } }: Pick<Config, 'operator' | 'server'>) {
  if (publicUrl === undefined || isLocalSite(publicUrl)) return undefined
  const required = ['name', 'address', 'email'] as const
  const missing = required.filter((name) => operator[name] === undefined)
  if (missing.length === 0) return undefined
  const names = missing.map((name) => `MAYFLY_OPERATOR_${name.toUpperCase()}`)
  return `${names.join(', ')} not set: ${publicUrl} does not say who runs it, as privacy laws demand (GDPR Article 13)`
}

/** Returns a warning for each setting that is set and no longer exists. */
export const ignoredWarnings = ({ ignored }: Pick<Config, 'ignored'>): string[] =>
  ignored.map((key) => {
    const renamed = RETIRED[key]
    return renamed === null
      ? `${PREFIX}${key} ignored: no longer a setting, the value is fixed. Remove it from the configuration`
      : `${PREFIX}${key} ignored: its name is ${PREFIX}${renamed} now. Rename it in the configuration`
  })

/** Returns a warning if a public https site has the settings of a service for tests (`deploy/tests.env`). */
export function testsWarning({ server: { publicUrl }, smtp }: Pick<Config, 'server' | 'smtp'>): string | undefined {
  if (publicUrl === undefined || !isPublicSite(publicUrl)) return undefined
  const reasons = [
    ...(smtp.startTls === 'off' ? ['MAYFLY_SMTP_STARTTLS is "off", so mail arrives unencrypted'] : []),
    ...(smtp.auth === 'on' ? ['MAYFLY_SMTP_AUTH is "on", so every password is accepted'] : []),
  ]
  return reasons.length === 0 ? undefined : `${reasons.join('; ')}: that is for tests, but ${publicUrl} is public`
}

/**
 * Returns a warning if senders can't deliver to a public https site under its MTA-STS policy (RFC 8461 5), unless a server
 * in front of it has the certificate.
 */
function policyWarning({
  server: { publicUrl },
  smtp,
  operating: { mtaSts },
}: Pick<Config, 'server' | 'smtp' | 'operating'>): string | undefined {
  if (mtaSts !== 'enforce' || publicUrl === undefined || !isPublicSite(publicUrl)) return undefined
  const why =
    smtp.startTls === 'off'
      ? 'MAYFLY_SMTP_STARTTLS is "off"'
      : smtp.certFile === undefined
        ? 'MAYFLY_SMTP_TLS_CERT_FILE is not set'
        : undefined
  return (
    why &&
    `MAYFLY_MTA_STS is "enforce", but ${why}: senders do not deliver without TLS and a valid certificate. Set one or MAYFLY_MTA_STS=testing, unless a server in front of this one has TLS`
  )
}

interface SiteWarning {
  /** The name of the check in `mayfly doctor`. */
  check: string
  /** The setting that it is about. */
  setting: string
  found: string
  /** What to do, unless `found` says it. */
  advice?: string
}

/** Returns what endangers the site or its visitors, for the log and for `mayfly doctor`. */
export function siteWarnings(config: Config): SiteWarning[] {
  const of = (check: string, setting: Key, found: string | undefined, advice?: string): SiteWarning[] =>
    found === undefined
      ? []
      : [{ check, setting: PREFIX + setting, found, ...(advice === undefined ? {} : { advice }) }]
  return [
    ...of('Site', 'PUBLIC_URL', exposureWarning(config)),
    ...of('Payments', 'PAYMENT_SANDBOX', sandboxWarning(config), 'set it to off'),
    ...of('Receiver', 'SMTP_AUTH', testsWarning(config), 'leave out what deploy/tests.env sets'),
    ...of('Operator', 'OPERATOR_NAME', operatorWarning(config)),
  ]
}

/**
 * Returns what the start warns of because of the settings. `mayfly doctor` asks the receiver itself whether it has TLS.
 */
export const startWarnings = (config: Config): string[] => [
  ...ignoredWarnings(config),
  ...[...siteWarnings(config).map(({ found }) => found), policyWarning(config)].filter((each) => each !== undefined),
]

/** Two listeners can't have one port of one host. 0 is any free port, and an unset port of the metrics gives way. */
function checkPorts({
  server: { host, httpPort, smtpPort, metricsHost, metricsPort },
}: Server<'host' | 'httpPort' | 'smtpPort' | 'metricsHost' | 'metricsPort'>): void {
  const listeners: readonly (readonly [Key, string, number | undefined])[] = [
    ['HTTP_PORT', host, httpPort],
    ['SMTP_PORT', host, smtpPort],
    ['METRICS_PORT', metricsHost, metricsPort],
  ]
  for (const [i, [key, own, port]] of listeners.entries()) {
    const [same] =
      listeners
        .slice(0, i)
        .find(([, other, taken]) => taken === port && (other === own || [other, own].some(isWildcard))) ?? []
    if (port && same) throw new ConfigError(`${PREFIX}${same} and ${PREFIX}${key} are both ${port}; change one of them`)
  }
}

/** Throws `ConfigError` if listeners have equal ports, or if a public https site has the checkout that moves no money. */
export function checkStart({ payments: { sandbox }, server }: Pick<Config, 'payments' | 'server'>): void {
  checkPorts({ server })
  const { publicUrl } = server
  if (publicUrl === undefined || !isPublicSite(publicUrl)) return
  if (sandbox === 'on')
    throw new ConfigError(
      `MAYFLY_PAYMENT_SANDBOX is "on" and MAYFLY_PUBLIC_URL is ${publicUrl}: every visitor would get Premium without paying; set it to off, or to on-public-site if that is what you want`,
    )
}

/** Returns the first mail domain, or `localhost` if there is none. */
export const firstDomain = ({ server: { domains } }: Server<'domains'>): string => domains[0] ?? 'localhost'

/** Returns the host name that this service gives to other mail servers. */
export const mailHostOf = ({ smtp, server }: Pick<Config, 'smtp' | 'server'>): string =>
  smtp.hostname ?? firstDomain({ server })

/**
 * How forwarded messages leave: through the relay if one is set, or else into files if `MAYFLY_FORWARD_OUTBOX` allows
 * it. `auto` allows it for a site on localhost.
 */
export function forwardingTransport(
  config: Pick<Config, 'server' | 'email' | 'forwarding'>,
): 'relay' | 'outbox' | 'none' {
  if (config.email.relayUrl !== undefined) return 'relay'
  const { outbox } = config.forwarding
  const toFiles = outbox === 'auto' ? isLocalSite(configuredSite(config)) : outbox === 'on'
  return toFiles ? 'outbox' : 'none'
}

/** Returns the mail domains and host names of this service, in lower case. */
export const ourDomains = ({ server, forwarding, smtp }: Pick<Config, 'server' | 'forwarding' | 'smtp'>): string[] =>
  [...server.domains, ...server.premiumDomains, forwarding.domain, smtp.hostname?.toLowerCase()].filter(
    (domain) => domain !== undefined,
  )

/** Returns `ourDomains`, and the domain of the sender of our own emails and the host of the site. */
export const namesOfService = (
  config: Pick<Config, 'server' | 'forwarding' | 'smtp'> & { email: Pick<Config['email'], 'from'> },
): string[] => [
  ...ourDomains(config),
  ...(config.email.from === undefined ? [] : [domainToASCII(domainOf(config.email.from))]),
  new URL(configuredSite(config)).hostname,
]
