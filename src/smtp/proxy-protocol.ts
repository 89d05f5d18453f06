import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/*
 * The PROXY protocol, versions 1 and 2, with which a proxy reports the client of a connection
 * (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt).
 */

export interface ProxyHeader {
  /**
   * The client's IP address as sent. Undefined if the proxy connects on its own behalf or does not know the address.
   */
  source: string | undefined
  /** Bytes of the header. SMTP begins after them. */
  length: number
}

/** A line of version 1 with its CRLF: "107 bytes in the worst case" (section 2.1). */
const MAX_LINE_BYTES = 107
/**
 * A header of version 2. It may announce 64 KB, but is "always smaller than an MSS" (section 2.2). nginx has the same
 * limit.
 */
const MAX_BINARY_BYTES = 4096

const PREFIX = Buffer.from('PROXY ', 'latin1')
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const FIXED_BYTES = 16

const PORT = '(?:0|[1-9]\\d{0,4})'
const LINE = new RegExp(
  `^PROXY (?:UNKNOWN(?: [^\\r\\n]*)?|(?<family>TCP[46]) (?<source>\\S+) (?<destination>\\S+) (?<from>${PORT}) (?<to>${PORT}))\\r\\n$`,
)

/** By address family (section 2.2): bytes of one IP address, and bytes of both addresses with their ports. */
const BLOCKS: Record<number, { address: number; block: number }> = {
  0x0: { address: 0, block: 0 }, // unspecified
  0x1: { address: 4, block: 12 }, // IPv4
  0x2: { address: 16, block: 36 }, // IPv6
  0x3: { address: 0, block: 216 }, // Unix
}
const STREAM = 1
const DATAGRAM = 2

/** Parses the header at the start of the bytes that have arrived so far. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | 'incomplete' | 'malformed' {
  if (beginsLike(bytes, SIGNATURE)) return bytes.length < FIXED_BYTES ? 'incomplete' : parseBinary(bytes)
  return beginsLike(bytes, PREFIX) ? parseLine(bytes) : 'malformed'
}

/** Whether the bytes start with `prefix`, or with a part of it if they are shorter. */
function beginsLike(bytes: Buffer, prefix: Buffer): boolean {
  const length = Math.min(bytes.length, prefix.length)
  return bytes.subarray(0, length).equals(prefix.subarray(0, length))
}

function parseLine(bytes: Buffer): ReturnType<typeof parseProxyHeader> {
  const length = bytes.subarray(0, MAX_LINE_BYTES).indexOf('\n') + 1
  if (length === 0) return bytes.length < MAX_LINE_BYTES ? 'incomplete' : 'malformed'
  const fields = LINE.exec(bytes.toString('latin1', 0, length))
  if (!fields) return 'malformed'
  const { family, source = '', destination = '', from, to } = fields.groups ?? {}
  if (family === undefined) return { source: undefined, length }
  const isOfFamily = family === 'TCP4' ? isIPv4 : isPlainIPv6
  const valid = isOfFamily(source) && isOfFamily(destination) && Number(from) <= 65_535 && Number(to) <= 65_535
  return valid ? { source, length } : 'malformed'
}

/** Rejects zones, which `node:net` allows but which have a meaning only on the proxy. */
const isPlainIPv6 = (address: string): boolean => isIPv6(address) && !address.includes('%')

function parseBinary(bytes: Buffer): ReturnType<typeof parseProxyHeader> {
  const [version, command] = nibbles(bytes.readUInt8(12))
  const [family, protocol] = nibbles(bytes.readUInt8(13))
  const length = FIXED_BYTES + bytes.readUInt16BE(14)
  if (version !== 2 || command > 1 || length > MAX_BINARY_BYTES) return 'malformed'
  // LOCAL: a health check by the proxy itself. Its addresses must be ignored.
  if (command === 0) return bytes.length < length ? 'incomplete' : { source: undefined, length }
  const size = BLOCKS[family]
  if (!size || protocol > DATAGRAM || length < FIXED_BYTES + size.block) return 'malformed'
  if (bytes.length < length) return 'incomplete'
  // Datagrams and Unix sockets are valid in the protocol but impossible here, so they count as unspecified. The TLVs
  // after the addresses, such as those about TLS, are not needed.
  if (size.address === 0 || protocol !== STREAM) return { source: undefined, length }
  const address = bytes.subarray(FIXED_BYTES, FIXED_BYTES + size.address)
  return { source: ipaddr.fromByteArray([...address]).toString(), length }
}

const nibbles = (byte: number): [high: number, low: number] => [byte >> 4, byte & 0x0f]
