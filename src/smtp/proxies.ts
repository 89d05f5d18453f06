import { isIPv6, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseProxyHeader, type ProxyHeader } from './proxy-protocol.ts'

type Range = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** Parses an IP address or network. IPv4-mapped IPv6 becomes IPv4. */
function rangeOf(network: string): Range {
  const [address, bits] = ipaddr.parseCIDR(network.includes('/') ? network : `${network}/${isIPv6(network) ? 128 : 32}`)
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
  return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits]
}

/**
 * Returns a test whether an address, normalized by `clientAddress()`, is in one of the networks (`10.0.0.0/8`, `::1`).
 */
export function addressIn(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map(rangeOf)
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.parse(text)
    return ranges.some((range) => address.kind() === range[0].kind() && address.match(range))
  }
}

/**
 * Why no header was read: the bytes are not a header, it did not arrive in time, or the connection ended within it
 * (`partial`) or before its first byte (`gone`).
 */
type HeaderFault = 'malformed' | 'timeout' | 'partial' | 'gone'

/**
 * Reads the PROXY header at the beginning of a connection. `timeout` is in milliseconds. After a header, this
 * function's listeners are removed and the bytes after the header are put back into the socket. The caller must add its
 * own listeners before `done` returns. On a fault the socket is destroyed.
 */
export function readProxyHeader(
  socket: Socket,
  timeout: number,
  done: (outcome: ProxyHeader | HeaderFault) => void,
): void {
  let bytes: Buffer = Buffer.alloc(0)

  function received(chunk: Buffer): void {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    const header = parseProxyHeader(bytes)
    if (header === 'incomplete') return
    finish(header)
  }

  function finish(outcome: ProxyHeader | HeaderFault): void {
    clearTimeout(timer)
    socket.off('data', received).off('end', ended).off('close', ended).off('error', ended)
    if (typeof outcome === 'string') socket.on('error', () => {}).destroy()
    else if (bytes.length > outcome.length) socket.unshift(bytes.subarray(outcome.length))
    done(outcome)
  }

  const ended = (): void => finish(bytes.length > 0 ? 'partial' : 'gone')
  const timer = setTimeout(() => finish('timeout'), timeout)
  socket.on('data', received).on('end', ended).on('close', ended).on('error', ended)
}
