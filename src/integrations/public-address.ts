import ipaddr from 'ipaddr.js'

/** IPv6 prefixes that carry an IPv4 address: NAT64 (RFC 6052, RFC 8215), 6to4, Teredo, IPv4-compatible. */
const CARRIERS: [ipaddr.IPv6, number][] = [
  [ipaddr.IPv6.parse('64:ff9b::'), 96],
  [ipaddr.IPv6.parse('64:ff9b:1::'), 48],
  [ipaddr.IPv6.parse('2002::'), 16],
  [ipaddr.IPv6.parse('2001::'), 32],
  [ipaddr.IPv6.parse('::'), 96],
]

/** Whether it is an ISATAP address (RFC 5214 6.1), which has an IPv4 address behind any prefix. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe

/** Metadata and control services of cloud providers with public IP addresses: Azure (WireServer). */
const CLOUD_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Whether an IP address belongs to the public internet. Private, loopback, link-local, shared, multicast,
 * documentation, reserved and tunnel ranges do not (IANA special-purpose registries), nor does an IPv6 address that
 * contains an IPv4 address. This excludes the metadata services of cloud providers with link-local, shared or unique
 * local addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast' && !CLOUD_SERVICES.has(parsed.toString())
  const v6 = parsed as ipaddr.IPv6
  if (v6.zoneId !== undefined) return false
  // An address that a local network translates into its IPv4 space is never a public host.
  if (CARRIERS.some((prefix) => v6.match(prefix)) || isIsatap(v6)) return false
  return v6.range() === 'unicast' && v6.match([ipaddr.IPv6.parse('2000::'), 3])
}
