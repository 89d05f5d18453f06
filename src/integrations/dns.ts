import { Resolver } from 'node:dns/promises'
import type { DnsLookup } from '#core/own-domain.ts'

export interface DnsOptions {
  /** `address` or `address:port` of DNS servers; empty: the system's. */
  servers: readonly string[]
  /** Milliseconds for one look-up with all its tries; over it, it rejects. */
  timeout: number
}

/**
 * A try ends when the server is some times slower than it was of late (c-ares, `ares_metrics.c`), which a name that it doesn't
 * know yet makes it easily.
 */
const TRIES = 5
/** The name isn't there, or has no such record; all else is a server that failed. */
const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA'])

/** Look-ups that are fresh at each call: nothing is kept here, or in Node's resolver. `close` lets all that wait reject. */
export function createDns({ servers, timeout }: DnsOptions): DnsLookup & { close(): void } {
  const resolver = new Resolver({ timeout: Math.ceil(timeout / TRIES), tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)

  async function lookUp<T>(answer: Promise<T[]>): Promise<T[]> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('The DNS servers do not answer in time')), timeout)
    try {
      return await Promise.race([answer, late.promise])
    } catch (error) {
      if (NOTHING_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    // A record comes as strings of at most 255 bytes that belong together (RFC 7208 3.3).
    txt: async (name) => (await lookUp(resolver.resolveTxt(name))).map((strings) => strings.join('')),
    async mx(name) {
      const records = await lookUp(resolver.resolveMx(name))
      return records
        .toSorted((a, b) => a.priority - b.priority)
        .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''))
    },
    close: () => resolver.cancel(),
  }
}
