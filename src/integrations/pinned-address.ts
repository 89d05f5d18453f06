import { lookup as systemLookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Returns the IP addresses of a host. */
export type Resolve = (host: string) => Promise<string[]>

/** Milliseconds for each try. */
const DNS_TIMEOUT = 2000
const DNS_TRIES = 2

/**
 * Creates the function that looks up names that strangers choose. It asks the DNS servers (the system's by default)
 * without the system's own look-up: of that, two can run at once in the whole process, for 10 seconds if a server is
 * silent, and all other look-ups would wait for them.
 */
export function createResolve(servers: readonly string[] = []): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: DNS_TRIES })
  if (servers.length > 0) resolver.setServers(servers)
  return async (host) => {
    // Only the system knows the names of this machine.
    if (LOCAL_HOST.test(host)) return (await systemLookup(host, { all: true })).map(({ address }) => address)
    const none = (): string[] => []
    const [ipv4, ipv6] = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)])
    return hasIpv4() ? [...ipv4, ...ipv6] : [...ipv6, ...ipv4]
  }
}

/** Whether this machine can reach IPv4 hosts. */
const hasIpv4 = (): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some(({ family, internal }) => family === 'IPv4' && !internal))

export const resolveHost = createResolve()

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
