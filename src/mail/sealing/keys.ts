import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { ID_BYTES, ID_INFO, KEY_BYTES, PKCS8_PREFIX, PRIVATE_KEY_INFO, SALT, SECRET_BYTES } from './format.ts'

export interface KeyPair {
  privateKey: KeyObject
  /** X25519, 32 bytes, raw. */
  publicKey: Uint8Array
}

/** What the secret of an address opens. Derived by HKDF-SHA256 for one request and forgotten. */
export interface AddressKeys extends KeyPair {
  /** The look-up hash, 22 characters of base64url (128 bits). Of an opened address: the id of its row. */
  id: string
  /** The pairs that the address had before its secret was replaced, newest first (`key-ring.ts`). */
  earlier?: KeyPair[]
}

/** RFC 8410: what stands before the 32 raw bytes of an X25519 key in SPKI. */
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')

/** HKDF-SHA256 (RFC 5869) with the salt of this version. */
export function derive(key: Uint8Array, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, SALT, info, length))
}

/** A new secret: 256 random bits, 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** So many bytes out of canonical base64url; undefined where the text is anything else. */
export function canonicalBytes(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : undefined
}

/** The keys of a secret; undefined where it is not 43 characters of canonical base64url. */
export function deriveKeys(secret: string): AddressKeys | undefined {
  const bytes = canonicalBytes(secret, SECRET_BYTES)
  if (!bytes) return undefined
  const seed = derive(bytes, PRIVATE_KEY_INFO, KEY_BYTES)
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  return {
    id: derive(bytes, ID_INFO, ID_BYTES).toString('base64url'),
    privateKey,
    publicKey: rawPublicKey(privateKey),
  }
}

/** The secret of the operator's mailbox follows from the service's key, so that it needn't be kept anywhere. */
export function operatorSecret(serviceKey: Uint8Array): string {
  return derive(serviceKey, 'operator mailbox', SECRET_BYTES).toString('base64url')
}

/** What mail that waits to be forwarded is sealed with follows from the service's key, too. */
export function forwardingKeys(serviceKey: Uint8Array): AddressKeys {
  const keys = deriveKeys(derive(serviceKey, 'forwarding queue', SECRET_BYTES).toString('base64url'))
  if (!keys) throw new Error('The secret of the queue is malformed')
  return keys
}

/**
 * The store's name for an address (`login@domain`, canonical): 22 characters, worth nothing without the service's key.
 */
export function nameKey(serviceKey: Uint8Array, address: string): string {
  return createHmac('sha256', serviceKey).update(address).digest().subarray(0, ID_BYTES).toString('base64url')
}

/** The 32 raw bytes of the public half of an X25519 key. */
export function rawPublicKey(key: KeyObject): Uint8Array {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  // As JWK, which costs a twentieth of DER.
  return Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
}

/** An X25519 public key out of its 32 raw bytes. */
export function publicKeyOf(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' })
}

/**
 * Whether an agreement with this X25519 key (32 raw bytes) is a secret: with a point of small order it is zero (RFC
 * 7748 6.1).
 */
export function isUsableKey(raw: Uint8Array): boolean {
  const { privateKey } = generateKeyPairSync('x25519')
  try {
    return diffieHellman({ privateKey, publicKey: publicKeyOf(raw) }).length === KEY_BYTES
  } catch {
    return false
  }
}
