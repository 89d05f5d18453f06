import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'

/** Returns the IP addresses of a host. */
export type Resolve = (host: string) => Promise<string[]>

export const resolveHost: Resolve = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address)

/** Without the brackets around IPv6 in a URL. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/**
 * Returns the address to connect to for a URL, or undefined if the host has none or a forbidden one. Rejects with
 * `resolve`.
 */
export async function allowedAddress(
  url: URL,
  resolve: Resolve,
  allow: (address: string) => boolean,
): Promise<string | undefined> {
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await resolve(host)
  // One forbidden address is enough: mixing private and public addresses is an attack.
  return addresses.every(allow) ? addresses[0] : undefined
}

/** Makes a request connect to the address that was checked, so that a second DNS response changes nothing. */
export function pinTo(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, options, callback) =>
    options.all ? callback(null, [{ address, family }]) : callback(null, address, family)
}
