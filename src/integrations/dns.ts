import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { DnsProbe } from '#core/operating/probes.ts'

export interface DnsOptions {
  /** `address` or `address:port` of DNS servers. Empty: those of the system. */
  servers: readonly string[]
  /** Timeout of one look-up with all its attempts, in milliseconds. Rejects after that. */
  timeout: number
}

/**
 * An attempt ends when the server is several times slower than lately (c-ares, `ares_metrics.c`), which easily happens
 * for a name that it has not cached.
 */
const TRIES = 5
/** The name does not exist or has no such record. All other errors are failures of the server. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA'])

/** Look-ups without a cache, neither here nor in Node's resolver. `close` rejects all pending ones. */
export function createDns({ servers, timeout }: DnsOptions): DnsProbe & { close(): void } {
  const resolver = new Resolver({ timeout: Math.ceil(timeout / TRIES), tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)

  async function inTime<T>(answer: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('The DNS servers do not answer in time')), timeout)
    try {
      return await Promise.race([answer, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  const lookUp = <T>(answer: Promise<T[]>): Promise<T[]> =>
    inTime(answer).catch((error: NodeJS.ErrnoException) => {
      if (NOTHING_THERE.has(error.code ?? '')) return []
      throw error
    })
  const ipv4 = (name: string): Promise<string[]> => lookUp(resolver.resolve4(name))

  return {
    // A record consists of strings of at most 255 bytes that belong together (RFC 7208 3.3).
    txt: async (name) => (await lookUp(resolver.resolveTxt(name))).map((strings) => strings.join('')),
    async mx(name) {
      const records = await lookUp(resolver.resolveMx(name))
      return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => plain(exchange))
    },
    addresses: async (name) => (await Promise.all([ipv4(name), lookUp(resolver.resolve6(name))])).flat(),
    listed: (address, list) => ipv4(`${reversed(address)}.${list}`),
    cname: async (name) => (await lookUp(resolver.resolveCname(name))).map(plain),
    // Not `reverse`, which reads /etc/hosts first.
    names: async (address) => {
      const zone = isIP(address) === 6 ? 'ip6.arpa' : 'in-addr.arpa'
      return (await lookUp(resolver.resolvePtr(`${reversed(address)}.${zone}`))).map(plain)
    },
    resolve: (name, type) => inTime(resolver.resolve(name, type) as Promise<unknown[]>),
    close: () => resolver.cancel(),
  }
}

/** Returns the name for a reverse look-up of an IP address (RFC 1035 3.5, RFC 3596 2.5), without the zone. */
const reversed = (address: string): string =>
  isIP(address) === 6
    ? Array.from(Buffer.from(ipaddr.IPv6.parse(address).toByteArray()).toString('hex'))
        .toReversed()
        .join('.')
    : address.split('.').toReversed().join('.')

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '')
