import { describe, expect, it } from 'vitest'
import { parseProxyHeader } from './proxy-protocol.ts'

const line = (text: string): Buffer => Buffer.from(`${text}\r\n`, 'latin1')
const SIGNATURE = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]

/** A header of version 2; `length` is what it says of itself. */
function binary(command: number, family: number, body: number[] = [], length = body.length): Buffer {
  return Buffer.from([...SIGNATURE, command, family, length >> 8, length & 0xff, ...body])
}

const IPV4 = [192, 0, 2, 7, 198, 51, 100, 1, 0xdb, 0x60, 0, 25]
const V6_ADDRESS = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x07]
const IPV6 = [...V6_ADDRESS, ...V6_ADDRESS, 0xdb, 0x60, 0, 25]
const MAPPED = [...Array<number>(10).fill(0), 0xff, 0xff, 192, 0, 2, 7]
/** ALPN, then what HAProxy sends of TLS: flags, verify, version TLSv1.3. */
const TLVS = [0x01, 0, 2, 0x68, 0x32, 0x20, 0, 15, 0x01, 0, 0, 0, 0, 0x21, 0, 7, ...Buffer.from('TLSv1.3')]
const unix = Array<number>(216).fill(0x61)
const LONGEST = Array(8).fill('ffff').join(':')

/** Headers, and whom they name. */
const valid: [string, Buffer, string | undefined][] = [
  ['TCP4', line('PROXY TCP4 192.0.2.7 198.51.100.1 56160 25'), '192.0.2.7'],
  ['TCP4 at its longest', line('PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535'), '255.255.255.255'],
  ['TCP4 with ports 0', line('PROXY TCP4 192.0.2.7 198.51.100.1 0 0'), '192.0.2.7'],
  ['TCP6', line('PROXY TCP6 2001:db8::7 2001:DB8::1 56160 25'), '2001:db8::7'],
  ['TCP6 at its longest', line(`PROXY TCP6 ${LONGEST} ${LONGEST} 65535 65535`), LONGEST],
  ['TCP6 of an IPv4 visitor', line('PROXY TCP6 ::ffff:192.0.2.7 ::ffff:198.51.100.1 1 25'), '::ffff:192.0.2.7'],
  ['UNKNOWN', line('PROXY UNKNOWN'), undefined],
  ['UNKNOWN with addresses', line(`PROXY UNKNOWN ${LONGEST} ${LONGEST} 65535 65535`), undefined],
  ['UNKNOWN with anything', line('PROXY UNKNOWN \x00\xff PROXY TCP4'), undefined],
  ['2: IPv4', binary(0x21, 0x11, IPV4), '192.0.2.7'],
  ['2: IPv6', binary(0x21, 0x21, IPV6), '2001:db8::7'],
  ['2: IPv6 of an IPv4 visitor', binary(0x21, 0x21, [...MAPPED, ...MAPPED, 0, 1, 0, 25]), '::ffff:c000:207'],
  ['2: IPv4 with TLVs', binary(0x21, 0x11, [...IPV4, ...TLVS]), '192.0.2.7'],
  ['2: IPv6 with TLVs', binary(0x21, 0x21, [...IPV6, ...TLVS]), '2001:db8::7'],
  ['2: as long as it may be', binary(0x21, 0x11, [...IPV4, ...Array<number>(4068).fill(4)]), '192.0.2.7'],
  ['2: LOCAL', binary(0x20, 0x00), undefined],
  ['2: LOCAL with an address', binary(0x20, 0x11, IPV4), undefined],
  ['2: LOCAL of a family that is none', binary(0x20, 0xff, [1, 2, 3]), undefined],
  ['2: unspecified', binary(0x21, 0x00), undefined],
  ['2: unspecified with TLVs', binary(0x21, 0x00, TLVS), undefined],
  ['2: IPv4 over an unspecified protocol', binary(0x21, 0x10, IPV4), undefined],
  ['2: UDP', binary(0x21, 0x12, IPV4), undefined],
  ['2: Unix', binary(0x21, 0x31, unix), undefined],
]

describe('a header', () => {
  it.each(valid)('%s', (_, header, source) => {
    expect(parseProxyHeader(header)).toEqual({ source, length: header.length })
  })

  it.each(valid)('%s, with a mail behind it', (_, header, source) => {
    const behind = Buffer.from('EHLO x\r\nPROXY TCP4 203.0.113.9 198.51.100.1 1 25\r\n')
    expect(parseProxyHeader(Buffer.concat([header, behind]))).toEqual({ source, length: header.length })
  })

  it.each(valid)('%s, cut anywhere, is awaited', (_, header) => {
    for (let cut = 0; cut < header.length; cut++) expect(parseProxyHeader(header.subarray(0, cut))).toBe('incomplete')
  })

  it('with bytes changed is another one or none', () => {
    let seed = 1
    const random = () => (seed = (seed * 48_271) % 0x7fffffff)
    for (let round = 0; round < 20_000; round++) {
      const [, header] = valid[random() % valid.length] ?? []
      const bytes = Buffer.from(header ?? [])
      for (let i = random() % 4; i >= 0; i--) bytes[random() % bytes.length] = random() % 256
      const parsed = parseProxyHeader(bytes)
      if (typeof parsed === 'string') continue
      expect(parsed.length).toBeLessThanOrEqual(bytes.length)
      expect(parsed.source ?? '::').toMatch(/^[\da-f.:]+$/i)
    }
  })
})

const long = (bytes: number): Buffer => line(`PROXY UNKNOWN ${'x'.repeat(bytes - 16)}`)

describe('no header', () => {
  it.each([
    ['SMTP', Buffer.from('EHLO x\r\n')],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['empty lines', Buffer.from('\r\n\r\n\r\n')],
    ['small letters', Buffer.from('proxy ')],
    ['its first letter and another', Buffer.from('PX')],
    ['another word that begins so', Buffer.from('PROXYX')],
    ['a tab', Buffer.from('PROXY\t')],
    ['no family', line('PROXY ')],
    ['a family that is none', line('PROXY TCP5 192.0.2.7 198.51.100.1 1 25')],
    ['UDP', line('PROXY UDP4 192.0.2.7 198.51.100.1 1 25')],
    ['UNKNOWN with something stuck to it', line('PROXY UNKNOWNX')],
    ['two spaces', line('PROXY  TCP4 192.0.2.7 198.51.100.1 1 25')],
    ['two spaces inside', line('PROXY TCP4 192.0.2.7  198.51.100.1 1 25')],
    ['a space at the end', line('PROXY TCP4 192.0.2.7 198.51.100.1 1 25 ')],
    ['a field too many', line('PROXY TCP4 192.0.2.7 198.51.100.1 1 25 1')],
    ['a field too few', line('PROXY TCP4 192.0.2.7 198.51.100.1 1')],
    ['IPv6 in TCP4', line('PROXY TCP4 2001:db8::7 2001:db8::1 1 25')],
    ['IPv4 in TCP6', line('PROXY TCP6 192.0.2.7 198.51.100.1 1 25')],
    ['a bad destination', line('PROXY TCP4 192.0.2.7 198.51.100.256 1 25')],
    ['a bad source', line('PROXY TCP4 192.0.2.256 198.51.100.1 1 25')],
    ['leading zeros', line('PROXY TCP4 192.0.02.7 198.51.100.1 1 25')],
    ['a short form of IPv4', line('PROXY TCP4 127.1 198.51.100.1 1 25')],
    ['a name', line('PROXY TCP4 localhost 198.51.100.1 1 25')],
    ['IPv6 with a zone', line('PROXY TCP6 fe80::1%eth0 2001:db8::1 1 25')],
    ['IPv6 with two gaps', line('PROXY TCP6 2001::db8::7 2001:db8::1 1 25')],
    ['IPv6 in brackets', line('PROXY TCP6 [2001:db8::7] 2001:db8::1 1 25')],
    ['a port above 65535', line('PROXY TCP4 192.0.2.7 198.51.100.1 65536 25')],
    ['the other port above 65535', line('PROXY TCP4 192.0.2.7 198.51.100.1 1 65536')],
    ['a port with a leading zero', line('PROXY TCP4 192.0.2.7 198.51.100.1 01 25')],
    ['a negative port', line('PROXY TCP4 192.0.2.7 198.51.100.1 -1 25')],
    ['a port that is none', line('PROXY TCP4 192.0.2.7 198.51.100.1 x 25')],
    ['a bare LF', Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 1 25\n')],
    ['a bare LF in what is ignored', Buffer.from('PROXY UNKNOWN x\ny\r\n')],
    ['a bare CR', Buffer.from('PROXY UNKNOWN x\ry\r\n')],
    ['108 bytes', long(108)],
    ['107 bytes without an end', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(93)}`)],
    ['106 bytes, then CR and more', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(92)}\rx`)],
    ['2: a signature with a bad end', Buffer.from([...SIGNATURE.slice(0, 11), 0x0d])],
    ['2: version 1', binary(0x11, 0x11, IPV4)],
    ['2: version 3', binary(0x31, 0x11, IPV4)],
    ['2: a command that is none', binary(0x22, 0x11, IPV4)],
    ['2: a family that is none', binary(0x21, 0x41, IPV4)],
    ['2: a protocol that is none', binary(0x21, 0x13, IPV4)],
    ['2: IPv4 that says it is shorter', binary(0x21, 0x11, IPV4, 11)],
    ['2: IPv4 that says it has nothing', binary(0x21, 0x11, IPV4, 0)],
    ['2: IPv6 that says it is shorter', binary(0x21, 0x21, IPV6, 35)],
    ['2: IPv6 in the length of IPv4', binary(0x21, 0x21, IPV4)],
    ['2: Unix that says it is shorter', binary(0x21, 0x31, unix, 215)],
    ['2: longer than it may be', binary(0x21, 0x11, [...IPV4, ...Array<number>(4069).fill(4)])],
    ['2: LOCAL, longer than it may be', binary(0x20, 0x00, [], 0xffff)],
  ])('%s', (_, bytes) => expect(parseProxyHeader(bytes)).toBe('malformed'))

  it('of 107 bytes is one', () => expect(parseProxyHeader(long(107))).toEqual({ source: undefined, length: 107 }))

  it('that says it is longer than it is takes what follows as its own', () => {
    const lying = Buffer.concat([binary(0x21, 0x11, IPV4, 20), Buffer.from('EHLO x\r\n')])
    expect(parseProxyHeader(lying)).toEqual({ source: '192.0.2.7', length: 36 })
    expect(parseProxyHeader(lying.subarray(0, 35))).toBe('incomplete')
  })
})
