import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Response flags (RFC 1035 4.1.1): response, recursion available, NXDOMAIN. */
const NO_SUCH_NAME = 0x8183

/**
 * Starts a name server on loopback that responds NXDOMAIN to every query. SPF, DKIM and DMARC are looked up for every
 * message. Without immediate responses, a machine without a network would measure their timeouts.
 */
export async function startNameServer(): Promise<{ address: string; close(): void }> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    query.writeUInt16BE(NO_SUCH_NAME, 2)
    // Only the question is repeated, without additional records (EDNS).
    query.writeUInt32BE(0, 8)
    socket.send(query, 0, endOfQuestion(query), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

/** Returns the index after the question: after the labels of the name, its root, type and class. */
function endOfQuestion(query: Buffer): number {
  let at = 12
  while ((query[at] ?? 0) !== 0) at += (query[at] ?? 0) + 1
  return at + 5
}
