import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/*
 * The PROXY protocol, versions 1 and 2: how a proxy before us says whom it speaks for
 * (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt).
 */

export interface ProxyHeader {
  /** The visitor's IP address as it was sent; undefined where the proxy speaks for itself or can't say. */
  source: string | undefined
  /** Bytes of the header; what is behind them is SMTP. */
  length: number
}

/** A line of version 1 with its CRLF: "107 bytes in the worst case" (section 2.1). */
const MAX_LINE_BYTES = 107
/** A header of version 2. It may announce 64 KB, but is "always smaller than an MSS" (section 2.2); nginx takes as much. */
const MAX_BINARY_BYTES = 4096

const PREFIX = Buffer.from('PROXY ', 'latin1')
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const FIXED_BYTES = 16

const PORT = '(?:0|[1-9]\\d{0,4})'
const LINE = new RegExp(
  `^PROXY (?:UNKNOWN(?: [^\\r\\n]*)?|(?<family>TCP[46]) (?<source>\\S+) (?<destination>\\S+) (?<from>${PORT}) (?<to>${PORT}))\\r\\n$`,
)

/** By family (section 2.2): bytes of one address that is of use to us, and of both with their ports. */
const BLOCKS: Record<number, { address: number; block: number }> = {
  0x0: { address: 0, block: 0 }, // unspecified
  0x1: { address: 4, block: 12 }, // IPv4
  0x2: { address: 16, block: 36 }, // IPv6
  0x3: { address: 0, block: 216 }, // Unix
}
const STREAM = 1
const DATAGRAM = 2

/** Reads the header at the beginning of all bytes that came so far. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | 'incomplete' | 'malformed' {
  if (beginsLike(bytes, SIGNATURE)) return bytes.length < FIXED_BYTES ? 'incomplete' : parseBinary(bytes)
  return beginsLike(bytes, PREFIX) ? parseLine(bytes) : 'malformed'
}

function beginsLike(bytes: Buffer, wanted: Buffer): boolean {
  const length = Math.min(bytes.length, wanted.length)
  return bytes.subarray(0, length).equals(wanted.subarray(0, length))
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

/** A zone, which node:net allows, means something on the proxy only. */
const isPlainIPv6 = (address: string): boolean => isIPv6(address) && !address.includes('%')

function parseBinary(bytes: Buffer): ReturnType<typeof parseProxyHeader> {
  const [version, command] = nibbles(bytes.readUInt8(12))
  const [family, protocol] = nibbles(bytes.readUInt8(13))
  const length = FIXED_BYTES + bytes.readUInt16BE(14)
  if (version !== 2 || command > 1 || length > MAX_BINARY_BYTES) return 'malformed'
  // LOCAL: a health check of the proxy's own. What it says of addresses is to be ignored.
  if (command === 0) return bytes.length < length ? 'incomplete' : { source: undefined, length }
  const size = BLOCKS[family]
  if (!size || protocol > DATAGRAM || length < FIXED_BYTES + size.block) return 'malformed'
  if (bytes.length < length) return 'incomplete'
  // Datagrams and Unix sockets are valid and can't be meant: as good as unspecified. Behind the addresses stand TLVs (of
  // TLS, say) that tell nothing we need.
  if (size.address === 0 || protocol !== STREAM) return { source: undefined, length }
  const address = bytes.subarray(FIXED_BYTES, FIXED_BYTES + size.address)
  return { source: ipaddr.fromByteArray([...address]).toString(), length }
}

const nibbles = (byte: number): [high: number, low: number] => [byte >> 4, byte & 0x0f]
