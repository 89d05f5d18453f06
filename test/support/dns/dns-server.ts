import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

/**
 * Record data in presentation format (RFC 1035, section 5.1, without quotes): `192.0.2.1`, `2001:db8::1`, `10
 * mx.example`, any text.
 */
type Records = readonly string[]
/**
 * Records by `name type`. A promise delays the response. `servfail` and `silence` simulate servers that fail or never
 * respond.
 */
export type Zone = Record<string, Records | Promise<Records> | 'servfail' | 'silence'>

export interface DnsServer {
  /** `address:port`, the format of `MAYFLY_DNS_SERVERS`. */
  address: string
  /** The records. A test may change them at any time. */
  zone: Zone
  /** The queried names with their types. */
  asked: string[]
  close(): void
}

const TYPES: Record<number, string> = { 1: 'A', 5: 'CNAME', 12: 'PTR', 15: 'MX', 16: 'TXT', 28: 'AAAA' }
const NO_ERROR = 0x8180
const SERVFAIL = 0x8182
const NXDOMAIN = 0x8183
/** A compressed name: a pointer to the name in the question (RFC 1035, section 4.1.4). */
const SAME_NAME = 0xc00c

/** A DNS server on loopback (RFC 1035) with the A, AAAA, CNAME, PTR, MX and TXT records of its zone. */
export async function startDnsServer(zone: Zone = {}): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  let closed = false
  socket.on('message', async (query, { address, port }) => {
    const { name, type, end } = question(query)
    const key = `${name} ${TYPES[type] ?? type}`
    asked.push(key)
    const records = await zone[key]
    if (records === 'silence') return
    const known = records !== undefined || Object.keys(zone).some((each) => each.startsWith(`${name} `))
    const answers = typeof records === 'object' ? records.map((record) => answer(type, record)) : []
    const head = Buffer.from(query.subarray(0, end))
    head.writeUInt16BE(records === 'servfail' ? SERVFAIL : known ? NO_ERROR : NXDOMAIN, 2)
    head.writeUInt16BE(answers.length, 6)
    head.writeUInt32BE(0, 8)
    // A delayed response may arrive after the end of the test.
    if (!closed) socket.send(Buffer.concat([head, ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    asked,
    close() {
      closed = true
      socket.close()
    },
  }
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answer(type: number, record: string): Buffer {
  const data = dataOf(type, record)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(SAME_NAME, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function dataOf(type: number, record: string): Buffer {
  if (TYPES[type] === 'A') return Buffer.from(record.split('.').map(Number))
  if (TYPES[type] === 'TXT') return strings(record)
  if (TYPES[type] === 'AAAA') return Buffer.from(ipaddr.IPv6.parse(record).toByteArray())
  if (TYPES[type] !== 'MX') return nameOf(record)
  const [preference, exchange = ''] = record.split(' ')
  const head = Buffer.alloc(2)
  head.writeUInt16BE(Number(preference))
  return Buffer.concat([head, nameOf(exchange)])
}

function nameOf(name: string): Buffer {
  const labels = name.split('.').filter(Boolean)
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0),
  ])
}

/** TXT: strings of at most 255 bytes. */
function strings(text: string): Buffer {
  const pieces = text.match(/.{1,255}/gs) ?? ['']
  return Buffer.concat(pieces.map((piece) => Buffer.concat([Buffer.of(piece.length), Buffer.from(piece, 'latin1')])))
}
