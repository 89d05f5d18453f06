import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { DAY } from '#core/time.ts'

const VALID_DAYS = 3650

/** Returns the value of a type of ASN.1 in DER (X.690). `tag` is its identifier octet. */
function der(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OID = 0x06
const UTF8_STRING = 0x0c
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31
/** Of a context-specific type: simple, or of several values. */
const SIMPLE = 0x80
const COMPOUND = 0xa0

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OID, Buffer.from('2a8648ce3d040302', 'hex')))
const COMMON_NAME = der(OID, Buffer.from('550403', 'hex'))
const SUBJECT_ALT_NAME = der(OID, Buffer.from('551d11', 'hex'))
const NO_UNUSED_BITS = Buffer.of(0)

const time = (at: number): Buffer => der(GENERALIZED_TIME, new Date(at).toISOString().replace(/\.\d+|[-:T]/g, ''))

/**
 * Makes a certificate (RFC 5280) for a host name and its key, as PEM. The key is of ECDSA with P-256, because a handshake
 * with it costs the server a fraction of one with RSA.
 */
export function makeSelfSigned(hostname: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, hostname))))
  // Positive, and without a leading zero.
  const serial = Buffer.concat([Buffer.of(1), randomBytes(15)])
  const now = Date.now()
  const certificate = der(
    SEQUENCE,
    der(COMPOUND, der(INTEGER, Buffer.of(2))),
    der(INTEGER, serial),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, time(now - DAY), time(now + VALID_DAYS * DAY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      COMPOUND | 3,
      der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, der(SEQUENCE, der(SIMPLE | 2, hostname))))),
    ),
  )
  const signature = der(BIT_STRING, NO_UNUSED_BITS, sign('sha256', certificate, privateKey))
  const base64 = der(SEQUENCE, certificate, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
}
