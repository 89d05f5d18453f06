import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { DnsProbe } from '#core/operating/probes.ts'

interface DnsOptions {
  /** DNS servers as `address` or `address:port`. Empty: the system's DNS servers. */
  servers: readonly string[]
  /** Timeout of a look-up including all tries, in milliseconds. After it, the look-up rejects. */
  timeout: number
}

/**
 * c-ares ends a try when the server is a few times slower than it recently was (`ares_metrics.c`). A name that the
 * server has not cached can easily be that slow.
 */
const TRIES = 5
/** Error codes for a name that does not exist or has no such record. All other codes mean that the server failed. */
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA'])

/** Creates a DNS client without a cache. `close` rejects all pending look-ups. */
export function createDns({ servers, timeout }: DnsOptions): DnsProbe & { close(): void } {
  const resolver = new Resolver({ timeout: Math.ceil(timeout / TRIES), tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)

  async function inTime<T>(answer: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('The DNS servers do not respond in time')), timeout)
    try {
      return await Promise.race([answer, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  const lookUp = <T>(answer: Promise<T[]>): Promise<T[]> =>
    inTime(answer).catch((error: NodeJS.ErrnoException) => {
      if (NOT_FOUND.has(error.code ?? '')) return []
      throw error
    })
  const ipv4 = (name: string): Promise<string[]> => lookUp(resolver.resolve4(name))

  return {
    // The strings of a record, at most 255 bytes each, belong together (RFC 7208 3.3).
    txt: async (name) => (await lookUp(resolver.resolveTxt(name))).map((strings) => strings.join('')),
    async mx(name) {
      const records = await lookUp(resolver.resolveMx(name))
      return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => normalized(exchange))
    },
    addresses: async (name) => (await Promise.all([ipv4(name), lookUp(resolver.resolve6(name))])).flat(),
    listed: (address, list) => ipv4(`${reversed(address)}.${list}`),
    cname: async (name) => (await lookUp(resolver.resolveCname(name))).map(normalized),
    // `reverse` would read /etc/hosts first.
    names: async (address) => {
      const zone = isIP(address) === 6 ? 'ip6.arpa' : 'in-addr.arpa'
      return (await lookUp(resolver.resolvePtr(`${reversed(address)}.${zone}`))).map(normalized)
    },
    resolve: (name, type) => inTime(resolver.resolve(name, type) as Promise<unknown[]>),
    close: () => resolver.cancel(),
  }
}

/** Returns an IP address as the name of a reverse look-up (RFC 1035 3.5, RFC 3596 2.5), without the zone. */
const reversed = (address: string): string =>
  isIP(address) === 6
    ? Array.from(Buffer.from(ipaddr.IPv6.parse(address).toByteArray()).toString('hex'))
        .toReversed()
        .join('.')
    : address.split('.').toReversed().join('.')

const normalized = (name: string): string => name.toLowerCase().replace(/\.$/, '')
