import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** RFC 1035 4.1.1: an answer, recursion available, NXDOMAIN. */
const NO_SUCH_NAME = 0x8183

/**
 * A name server on loopback that knows no names. SPF, DKIM and DMARC are looked up for every mail; without an answer at once
 * a machine that is off the net would measure their time-outs.
 */
export async function startNameServer(): Promise<{ address: string; close(): void }> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { address, port }) => {
    query.writeUInt16BE(NO_SUCH_NAME, 2)
    // The question as it came, and no more: additional records (EDNS) are not repeated.
    query.writeUInt32BE(0, 8)
    socket.send(query, 0, endOfQuestion(query), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

/** Behind the labels of the name, its root, type and class. */
function endOfQuestion(query: Buffer): number {
  let at = 12
  while ((query[at] ?? 0) !== 0) at += (query[at] ?? 0) + 1
  return at + 5
}
