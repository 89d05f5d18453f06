import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'

/** Returns the IP addresses of a host. */
export type Resolve = (host: string) => Promise<string[]>

export const resolveHost: Resolve = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address)

/** A host name that stands for this machine, as `hostOf` returns it. */
export const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/

/** Returns the host of a URL without the brackets around an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/**
 * Returns the IP address to connect to for a URL. Undefined if the host has none, or one that is not allowed. Rejects
 * if `resolve` rejects.
 */
export async function allowedAddress(
  url: URL,
  resolve: Resolve,
  allow: (address: string) => boolean,
): Promise<string | undefined> {
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await resolve(host)
  // One forbidden address rejects the host: a name with both private and public addresses is suspicious.
  return addresses.every(allow) ? addresses[0] : undefined
}

/** Returns a `lookup` that always returns the checked address, so a later DNS response has no effect. */
export function pinTo(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, options, callback) =>
    options.all ? callback(null, [{ address, family }]) : callback(null, address, family)
}
