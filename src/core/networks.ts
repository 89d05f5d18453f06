import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/** Whether an IP address is valid only inside a private network (RFC 1918, 3927, 4193, 4291 and 6598). */
export function isPrivateAddress(ip: string): boolean {
  const address = parse(ip)
  return address !== undefined && PRIVATE_RANGES.has(address.range())
}

/** Names that only a private network knows: without a dot, or below a domain that is reserved for private use. */
const PRIVATE_NAME = /^[^.]*\.?$|\.(?:internal|local|localdomain|lan|home\.arpa|localhost)\.?$/i

/** Whether only a private network or this machine reaches a host: a name, or an IP address that may be in brackets. */
export function isPrivateHost(host: string): boolean {
  const ip = host.replace(/^\[(.*)\]$/, '$1')
  return isIP(ip) === 0 ? PRIVATE_NAME.test(host) : isPrivateAddress(ip) || isLoopback(ip)
}

/** A network that a rate limit counts. */
export interface Network {
  /** `192.0.2.1`, `192.0.2.0/24` or `2001:db8:1:2::/64`; `unknown` for anything that is not an IP address. */
  name: string
  /** Its allowance as a multiple of that of the narrowest network. */
  times: number
}

interface Step {
  bits: number
  times: number
}

/**
 * One visitor has a /64 (RFC 6177). Providers assign /56 and /48 networks, so each wider step gets ten times the
 * allowance.
 */
const IPV6: readonly Step[] = [
  { bits: 64, times: 1 },
  { bits: 56, times: 10 },
  { bits: 48, times: 100 },
]
const IPV4_VISITOR: readonly Step[] = [{ bits: 32, times: 1 }]
/** An IPv4 address stands for many visitors but for one sender. A tenant of a /24 has 256 of them. */
const IPV4_SENDER: readonly Step[] = [...IPV4_VISITOR, { bits: 24, times: 10 }]

/** Parses an address without its port or zone, and IPv4 addresses mapped into IPv6. Proxies may append a port. */
function parse(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const text = ip.replace(/^\[(.+)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/, '$1$2')
  return isIP(text) === 0 ? undefined : ipaddr.process(text)
}

function named(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  if (address instanceof ipaddr.IPv4)
    return bits === 32 ? address.toString() : `${address.octets.slice(0, 3).join('.')}.0/${bits}`
  const parts = address.parts.slice(0, 4).map((part, index) => {
    const kept = Math.min(16, Math.max(0, bits - 16 * index))
    return (part & (0xffff << (16 - kept)) & 0xffff).toString(16)
  })
  return `${parts.join(':')}::/${bits}`
}

function networksOf(ip: string, ipv4: readonly Step[]): Network[] {
  const address = parse(ip)
  if (!address) return [{ name: 'unknown', times: 1 }]
  const steps = address instanceof ipaddr.IPv4 ? ipv4 : IPV6
  return steps.map(({ bits, times }) => ({ name: named(address, bits), times }))
}

/** The networks that count a visitor, narrowest first: the IPv4 address, or the /64, /56 and /48 of an IPv6 address. */
export const visitorNetworks = (ip: string): Network[] => networksOf(ip, IPV4_VISITOR)

/**
 * The networks that count a sender, narrowest first: an IPv4 address and its /24, or the /64, /56 and /48 of an IPv6
 * address.
 */
export const senderNetworks = (ip: string): Network[] => networksOf(ip, IPV4_SENDER)

/** The name of the widest network of a sender: an IPv4 /24 or an IPv6 /48. One client may control many narrower ones. */
export const widestNetwork = (ip: string): string => senderNetworks(ip).at(-1)?.name ?? 'unknown'

/**
 * The network that shares what is limited in total with others: the widest one of a client. Undefined for this machine,
 * whose programs and proxies carry many clients. They have no share, and no rate of connections.
 */
export const sharingNetwork = (ip: string): string | undefined => (isLoopback(ip) ? undefined : widestNetwork(ip))

/**
 * Whether an address is a loopback address: the client is a local program, or a proxy that does not name the client.
 */
export const isLoopback = (ip: string): boolean => parse(ip)?.range() === 'loopback'
