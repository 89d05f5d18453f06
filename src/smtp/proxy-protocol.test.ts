import { describe, expect, it } from 'vitest'
import { parseProxyHeader } from './proxy-protocol.ts'

const line = (text: string): Buffer => Buffer.from(`${text}\r\n`, 'latin1')
const SIGNATURE = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]

/** A header of version 2. `length` is the declared length of its body. */
function binary(command: number, family: number, body: number[] = [], length = body.length): Buffer {
  return Buffer.from([...SIGNATURE, command, family, length >> 8, length & 0xff, ...body])
}

const IPV4 = [192, 0, 2, 7, 198, 51, 100, 1, 0xdb, 0x60, 0, 25]
const V6_ADDRESS = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x07]
const IPV6 = [...V6_ADDRESS, ...V6_ADDRESS, 0xdb, 0x60, 0, 25]
const MAPPED = [...Array<number>(10).fill(0), 0xff, 0xff, 192, 0, 2, 7]
/** ALPN, then the TLS information of HAProxy: flags, verify, version TLSv1.3. */
const TLVS = [0x01, 0, 2, 0x68, 0x32, 0x20, 0, 15, 0x01, 0, 0, 0, 0, 0x21, 0, 7, ...Buffer.from('TLSv1.3')]
const unix = Array<number>(216).fill(0x61)
const LONGEST = Array(8).fill('ffff').join(':')

/** Headers and their source addresses. */
const valid: [string, Buffer, string | undefined][] = [
  ['TCP4', line('PROXY TCP4 192.0.2.7 198.51.100.1 56160 25'), '192.0.2.7'],
  ['TCP4 at its longest', line('PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535'), '255.255.255.255'],
  ['TCP4 with ports 0', line('PROXY TCP4 192.0.2.7 198.51.100.1 0 0'), '192.0.2.7'],
  ['TCP6', line('PROXY TCP6 2001:db8::7 2001:DB8::1 56160 25'), '2001:db8::7'],
  ['TCP6 at its longest', line(`PROXY TCP6 ${LONGEST} ${LONGEST} 65535 65535`), LONGEST],
  ['TCP6 of an IPv4 client', line('PROXY TCP6 ::ffff:192.0.2.7 ::ffff:198.51.100.1 1 25'), '::ffff:192.0.2.7'],
  ['UNKNOWN', line('PROXY UNKNOWN'), undefined],
  ['UNKNOWN with addresses', line(`PROXY UNKNOWN ${LONGEST} ${LONGEST} 65535 65535`), undefined],
  ['UNKNOWN with arbitrary bytes', line('PROXY UNKNOWN \x00\xff PROXY TCP4'), undefined],
  ['2: IPv4', binary(0x21, 0x11, IPV4), '192.0.2.7'],
  ['2: IPv6', binary(0x21, 0x21, IPV6), '2001:db8::7'],
  ['2: IPv6 of an IPv4 client', binary(0x21, 0x21, [...MAPPED, ...MAPPED, 0, 1, 0, 25]), '::ffff:c000:207'],
  ['2: IPv4 with TLVs', binary(0x21, 0x11, [...IPV4, ...TLVS]), '192.0.2.7'],
  ['2: IPv6 with TLVs', binary(0x21, 0x21, [...IPV6, ...TLVS]), '2001:db8::7'],
  ['2: at its longest', binary(0x21, 0x11, [...IPV4, ...Array<number>(4068).fill(4)]), '192.0.2.7'],
  ['2: LOCAL', binary(0x20, 0x00), undefined],
  ['2: LOCAL with an address', binary(0x20, 0x11, IPV4), undefined],
  ['2: LOCAL of an unknown family', binary(0x20, 0xff, [1, 2, 3]), undefined],
  ['2: unspecified', binary(0x21, 0x00), undefined],
  ['2: unspecified with TLVs', binary(0x21, 0x00, TLVS), undefined],
  ['2: IPv4 over an unspecified protocol', binary(0x21, 0x10, IPV4), undefined],
  ['2: UDP', binary(0x21, 0x12, IPV4), undefined],
  ['2: Unix', binary(0x21, 0x31, unix), undefined],
]

describe('a valid header', () => {
  it.each(valid)('is parsed: %s', (_, header, source) => {
    expect(parseProxyHeader(header)).toEqual({ source, length: header.length })
  })

  it.each(valid)('is parsed with SMTP after it: %s', (_, header, source) => {
    const rest = Buffer.from('EHLO x\r\nPROXY TCP4 203.0.113.9 198.51.100.1 1 25\r\n')
    expect(parseProxyHeader(Buffer.concat([header, rest]))).toEqual({ source, length: header.length })
  })

  it.each(valid)('is incomplete at every cut: %s', (_, header) => {
    for (let cut = 0; cut < header.length; cut++) expect(parseProxyHeader(header.subarray(0, cut))).toBe('incomplete')
  })

  it('with random changes never yields an invalid result', () => {
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

describe('an invalid header', () => {
  it.each([
    ['SMTP', Buffer.from('EHLO x\r\n')],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['empty lines', Buffer.from('\r\n\r\n\r\n')],
    ['lower case', Buffer.from('proxy ')],
    ['a different second letter', Buffer.from('PX')],
    ['a longer word', Buffer.from('PROXYX')],
    ['a tab', Buffer.from('PROXY\t')],
    ['no family', line('PROXY ')],
    ['an unknown family', line('PROXY TCP5 192.0.2.7 198.51.100.1 1 25')],
    ['UDP', line('PROXY UDP4 192.0.2.7 198.51.100.1 1 25')],
    ['UNKNOWN without a separator', line('PROXY UNKNOWNX')],
    ['two spaces', line('PROXY  TCP4 192.0.2.7 198.51.100.1 1 25')],
    ['two spaces between addresses', line('PROXY TCP4 192.0.2.7  198.51.100.1 1 25')],
    ['a space at the end', line('PROXY TCP4 192.0.2.7 198.51.100.1 1 25 ')],
    ['an extra field', line('PROXY TCP4 192.0.2.7 198.51.100.1 1 25 1')],
    ['a missing field', line('PROXY TCP4 192.0.2.7 198.51.100.1 1')],
    ['IPv6 in TCP4', line('PROXY TCP4 2001:db8::7 2001:db8::1 1 25')],
    ['IPv4 in TCP6', line('PROXY TCP6 192.0.2.7 198.51.100.1 1 25')],
    ['a bad destination', line('PROXY TCP4 192.0.2.7 198.51.100.256 1 25')],
    ['a bad source', line('PROXY TCP4 192.0.2.256 198.51.100.1 1 25')],
    ['leading zeros', line('PROXY TCP4 192.0.02.7 198.51.100.1 1 25')],
    ['a short form of IPv4', line('PROXY TCP4 127.1 198.51.100.1 1 25')],
    ['a host name', line('PROXY TCP4 localhost 198.51.100.1 1 25')],
    ['IPv6 with a zone', line('PROXY TCP6 fe80::1%eth0 2001:db8::1 1 25')],
    ['IPv6 with two abbreviations', line('PROXY TCP6 2001::db8::7 2001:db8::1 1 25')],
    ['IPv6 in brackets', line('PROXY TCP6 [2001:db8::7] 2001:db8::1 1 25')],
    ['a port above 65535', line('PROXY TCP4 192.0.2.7 198.51.100.1 65536 25')],
    ['a destination port above 65535', line('PROXY TCP4 192.0.2.7 198.51.100.1 1 65536')],
    ['a port with a leading zero', line('PROXY TCP4 192.0.2.7 198.51.100.1 01 25')],
    ['a negative port', line('PROXY TCP4 192.0.2.7 198.51.100.1 -1 25')],
    ['a port that is not a number', line('PROXY TCP4 192.0.2.7 198.51.100.1 x 25')],
    ['a bare LF', Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 1 25\n')],
    ['a bare LF in the ignored part', Buffer.from('PROXY UNKNOWN x\ny\r\n')],
    ['a bare CR', Buffer.from('PROXY UNKNOWN x\ry\r\n')],
    ['108 bytes', long(108)],
    ['107 bytes without an end', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(93)}`)],
    ['106 bytes, then CR and more', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(92)}\rx`)],
    ['2: a signature with a wrong last byte', Buffer.from([...SIGNATURE.slice(0, 11), 0x0d])],
    ['2: version 1', binary(0x11, 0x11, IPV4)],
    ['2: version 3', binary(0x31, 0x11, IPV4)],
    ['2: an unknown command', binary(0x22, 0x11, IPV4)],
    ['2: an unknown family', binary(0x21, 0x41, IPV4)],
    ['2: an unknown protocol', binary(0x21, 0x13, IPV4)],
    ['2: IPv4 with a declared length that is too short', binary(0x21, 0x11, IPV4, 11)],
    ['2: IPv4 with a declared length of 0', binary(0x21, 0x11, IPV4, 0)],
    ['2: IPv6 with a declared length that is too short', binary(0x21, 0x21, IPV6, 35)],
    ['2: IPv6 with the length of IPv4', binary(0x21, 0x21, IPV4)],
    ['2: Unix with a declared length that is too short', binary(0x21, 0x31, unix, 215)],
    ['2: above the maximum length', binary(0x21, 0x11, [...IPV4, ...Array<number>(4069).fill(4)])],
    ['2: LOCAL above the maximum length', binary(0x20, 0x00, [], 0xffff)],
  ])('is malformed: %s', (_, bytes) => expect(parseProxyHeader(bytes)).toBe('malformed'))
})

describe('parseProxyHeader', () => {
  it('accepts a line of 107 bytes', () =>
    expect(parseProxyHeader(long(107))).toEqual({ source: undefined, length: 107 }))

  it('counts bytes up to the declared length as the header', () => {
    const overlong = Buffer.concat([binary(0x21, 0x11, IPV4, 20), Buffer.from('EHLO x\r\n')])
    expect(parseProxyHeader(overlong)).toEqual({ source: '192.0.2.7', length: 36 })
    expect(parseProxyHeader(overlong.subarray(0, 35))).toBe('incomplete')
  })
})
