import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { ID_BYTES, SECRET_BYTES } from '#core/ids.ts'
import { ID_INFO, KEY_BYTES, PKCS8_PREFIX, PRIVATE_KEY_INFO, SALT } from './format.ts'

export interface KeyPair {
  privateKey: KeyObject
  /** X25519, 32 raw bytes. */
  publicKey: Uint8Array
}

/** The keys of an address. They are derived from its secret by HKDF-SHA256 for one request and then discarded. */
export interface AddressKeys extends KeyPair {
  /** The look-up hash, 22 characters of base64url (128 bits). For an opened address: the id of its row. */
  id: string
  /** The key pairs from before the secret was replaced, newest first (`key-ring.ts`). */
  earlier?: KeyPair[]
}

/** Derives bytes by HKDF-SHA256 (RFC 5869) with the salt of this version. */
export function derive(key: Uint8Array, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, SALT, info, length))
}

/** Decodes canonical base64url of `length` bytes. Undefined for any other text. */
export function canonicalBytes(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : undefined
}

/** Derives the keys from a secret. Undefined if it is not 43 characters of canonical base64url. */
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

/** Derives the secret of the operator mailbox from the service key, so that it need not be stored. */
export function operatorSecret(serviceKey: Uint8Array): string {
  return derive(serviceKey, 'operator mailbox', SECRET_BYTES).toString('base64url')
}

/** Derives the keys of messages in the forwarding queue from the service key. */
export function forwardingKeys(serviceKey: Uint8Array): AddressKeys {
  const keys = deriveKeys(derive(serviceKey, 'forwarding queue', SECRET_BYTES).toString('base64url'))
  if (!keys) throw new Error('The secret of the forwarding queue is malformed')
  return keys
}

/**
 * Returns the keyed hash under which the store knows an address (canonical `login@domain`): 22 characters. It reveals
 * nothing without the service key.
 */
export function nameKey(serviceKey: Uint8Array, address: string): string {
  return createHmac('sha256', serviceKey).update(address).digest().subarray(0, ID_BYTES).toString('base64url')
}

/** Returns the 32 raw bytes of the public half of an X25519 key. */
export function rawPublicKey(key: KeyObject): Uint8Array {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  // Exporting as JWK takes a twentieth of the time of DER.
  return Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
}

/** Returns an X25519 public key from its 32 raw bytes. */
export function publicKeyOf(raw: Uint8Array): KeyObject {
  // Importing a JWK takes half the time of DER.
  const x = Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })
}

/**
 * Whether a key agreement with this X25519 key (32 raw bytes) yields a secret. With a point of small order it yields
 * zero (RFC 7748 6.1).
 */
export function isUsableKey(raw: Uint8Array): boolean {
  const { privateKey } = generateKeyPairSync('x25519')
  try {
    return diffieHellman({ privateKey, publicKey: publicKeyOf(raw) }).length === KEY_BYTES
  } catch {
    return false
  }
}
