import type { DnsLookup } from '#core/own-domains/own-domain.ts'

/** Returns whether the MX records are a "null MX", which declares that the domain accepts no mail (RFC 7505). */
const isNullMx = (hosts: readonly string[]): boolean => hosts.length === 1 && hosts[0] === ''

/** Returns false if the domain declares that it accepts no mail. Without an answer from the DNS it returns true: the relay decides. */
export async function takesMail(dns: Pick<DnsLookup, 'mx'>, domain: string): Promise<boolean> {
  return !isNullMx(await dns.mx(domain).catch(() => []))
}
