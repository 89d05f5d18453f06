import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'

/** Answers the IP addresses of a host. */
export type Resolve = (host: string) => Promise<string[]>

export const resolveHost: Resolve = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address)

/** Without the brackets that a URL puts around IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** The address to connect to for a URL; undefined where the host has none, or one that is not allowed. Rejects with `resolve`. */
export async function allowedAddress(
  url: URL,
  resolve: Resolve,
  allow: (address: string) => boolean,
): Promise<string | undefined> {
  const host = hostOf(url)
  const addresses = isIP(host) ? [host] : await resolve(host)
  // One bad address spoils a name: whoever mixes private and public ones is up to something.
  return addresses.every(allow) ? addresses[0] : undefined
}

/** Lets a request connect to the address that was checked, and to no other: a second DNS answer changes nothing. */
export function pinTo(address: string): LookupFunction {
  const family = isIP(address)
  return (_host, options, callback) =>
    options.all ? callback(null, [{ address, family }]) : callback(null, address, family)
}
