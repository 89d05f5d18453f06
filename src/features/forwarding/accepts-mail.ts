import type { DnsLookup } from '#core/own-domains/own-domain.ts'

/** A single MX record whose host is the root says that there is no mail (RFC 7505). */
const isNull = (hosts: readonly string[]): boolean => hosts.length === 1 && hosts[0] === ''

/** Whether a domain takes mail, as far as it says; where the DNS says nothing, the relay will know. */
export async function takesMail(dns: Pick<DnsLookup, 'mx'>, domain: string): Promise<boolean> {
  return !isNull(await dns.mx(domain).catch(() => []))
}
