import ipaddr from 'ipaddr.js'

/** IPv6 prefixes that carry an IPv4 address: NAT64 (RFC 6052, RFC 8215), 6to4, Teredo, IPv4-compatible. */
const CARRIERS: [ipaddr.IPv6, number][] = [
  [ipaddr.IPv6.parse('64:ff9b::'), 96],
  [ipaddr.IPv6.parse('64:ff9b:1::'), 48],
  [ipaddr.IPv6.parse('2002::'), 16],
  [ipaddr.IPv6.parse('2001::'), 32],
  [ipaddr.IPv6.parse('::'), 96],
]

/** RFC 5214 6.1: an IPv4 address behind any prefix. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe

/** Metadata and control services of clouds with addresses of the public internet: Azure (WireServer). */
const CLOUD_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Whether an IP address is on the public internet. Private, loopback, link-local, shared, multicast, documentation,
 * reserved and tunnel ranges are not (IANA special-purpose registries), nor is an IPv6 address that carries such an
 * IPv4 address. This covers the metadata addresses of clouds that are link-local, shared or unique local.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast' && !CLOUD_SERVICES.has(parsed.toString())
  const v6 = parsed as ipaddr.IPv6
  if (v6.zoneId !== undefined) return false
  // What a local network translates into its own IPv4 addresses is never a public image host.
  if (CARRIERS.some((prefix) => v6.match(prefix)) || isIsatap(v6)) return false
  return v6.range() === 'unicast' && v6.match([ipaddr.IPv6.parse('2000::'), 3])
}
