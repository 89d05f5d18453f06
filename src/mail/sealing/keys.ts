import { createHmac, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

/** What the secret of an address opens. Derived by HKDF-SHA256 for one request and forgotten. */
export interface AddressKeys {
  /** The look-up hash: name of the address row, 22 characters of base64url (128 bits). */
  id: string
  privateKey: KeyObject
  /** X25519, 32 bytes, raw. */
  publicKey: Uint8Array
}

const SECRET_BYTES = 32
const ID_BYTES = 16
const SALT = 'mayfly/v1'
/** RFC 8410: what stands before the 32 raw bytes of an X25519 key in PKCS #8 and in SPKI. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')

/** HKDF-SHA256 (RFC 5869) with the salt of this version. */
export function derive(key: Uint8Array, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, SALT, info, length))
}

/** A new secret: 256 random bits, 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** The keys of a secret; undefined where it is not 43 characters of canonical base64url. */
export function deriveKeys(secret: string): AddressKeys | undefined {
  const bytes = Buffer.from(secret, 'base64url')
  if (bytes.length !== SECRET_BYTES || bytes.toString('base64url') !== secret) return undefined
  const seed = derive(bytes, 'x25519', 32)
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  return {
    id: derive(bytes, 'look-up', ID_BYTES).toString('base64url'),
    privateKey,
    publicKey: rawPublicKey(privateKey),
  }
}

/** The secret of the operator's mailbox follows from the service's key, so that it needn't be kept anywhere. */
export function operatorSecret(serviceKey: Uint8Array): string {
  return derive(serviceKey, 'operator mailbox', SECRET_BYTES).toString('base64url')
}

/** The store's name for an address (`login@domain`, canonical): 22 characters, worth nothing without the service's key. */
export function nameKey(serviceKey: Uint8Array, address: string): string {
  return createHmac('sha256', serviceKey).update(address).digest().subarray(0, ID_BYTES).toString('base64url')
}

/** The 32 raw bytes of the public half of an X25519 key. */
export function rawPublicKey(key: KeyObject): Uint8Array {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length)
}

/** An X25519 public key out of its 32 raw bytes. */
export function publicKeyOf(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' })
}
