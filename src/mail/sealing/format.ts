import type { BoxPlace } from '#core/mailbox/box.ts'
import { concat, lengthPrefixed } from '../bytes.ts'

/**
 * A sealed box: `version (1) | ephemeral public key (32) | nonce (12) | ciphertext | tag (16)`.
 * The first byte of the plaintext says how the rest is packed. Server and browser share this file.
 */
export const VERSION = 2
/**
 * A box without associated data, which opens at any place. Written only while nodes of the previous version may run.
 */
export const UNBOUND_VERSION = 1
export const KEY_BYTES = 32
export const NONCE_BYTES = 12
export const TAG_BYTES = 16
export const HEADER_BYTES = 1 + KEY_BYTES + NONCE_BYTES

export const PACKED_RAW = 0
export const PACKED_ZSTD = 1

/** The AES-256 key is HKDF-SHA256 of the X25519 agreement, salted with both public keys (ephemeral, recipient). */
export const SEAL_INFO = 'mayfly/v1 seal'

/** The HKDF-SHA256 salt and infos to derive the private key and the look-up hash from a secret. */
export const SALT = 'mayfly/v1'
export const PRIVATE_KEY_INFO = 'x25519'
export const ID_INFO = 'look-up'
/** The prefix of the 32 raw bytes of an X25519 key in PKCS #8 (RFC 8410). */
export const PKCS8_PREFIX = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20)

/** The box is for another key or place, or damaged. */
export class SealError extends Error {
  override readonly name = 'SealError'
}

/** Whether bytes have the form of a box. Whether it opens depends on the key. */
export const isBox = (bytes: Uint8Array): boolean =>
  (bytes[0] === VERSION || bytes[0] === UNBOUND_VERSION) && bytes.length > HEADER_BYTES + TAG_BYTES

/**
 * Returns the associated data of version 2: the version byte, then kind, address and message, each after a byte with
 * its length.
 */
export function associatedData({ kind, addressId, messageId = '' }: Omit<BoxPlace, 'at'>): Uint8Array<ArrayBuffer> {
  return concat(Uint8Array.of(VERSION), lengthPrefixed(kind, addressId, messageId))
}
