/**
 * Returns the host name of a `Host` header as URLs contain it: lower case, IP addresses in canonical form, without the
 * port and a trailing dot.
 */
export function hostNameOf(host: string): string | undefined {
  if (host === '' || /[\s/?#@\\]/.test(host)) return undefined
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
}

const LOCAL_HOST = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/

/** Whether a name that `hostNameOf` returned refers to this machine (RFC 6761 6.3 for `localhost`). */
export const isLocalHost = (name: string): boolean => LOCAL_HOST.test(name)

/** Whether the URL of a site or another server refers to this machine. */
export const isLocalSite = (url: string): boolean => isLocalHost(hostNameOf(new URL(url).host) ?? '')

/** Whether strangers use a site: it has https and does not refer to this machine. */
export const isPublicSite = (url: string): boolean => url.startsWith('https:') && !isLocalSite(url)

/** Whether a server that listens on this host is reached through all addresses of the machine. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || /^[0:]+$/.test(host)
