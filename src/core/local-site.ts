/** The name in a `Host` header as URLs have it: lower case, IP addresses in their shortest form, without port and last dot. */
export function hostNameOf(host: string): string | undefined {
  if (host === '' || /[\s/?#@\\]/.test(host)) return undefined
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
}

const LOCAL_HOST = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/

/** Whether a name, as `hostNameOf` answers it, leads to this very machine (RFC 6761 6.3 for `localhost`). */
export const isLocalHost = (name: string): boolean => LOCAL_HOST.test(name)

/** Whether a site (its URL) is for who sits at this very machine. */
export const isLocalSite = (url: string): boolean => isLocalHost(hostNameOf(new URL(url).host) ?? '')
