import { diffieHellman, hkdfSync, type KeyObject } from 'node:crypto'

/**
 * Version 1 of a sealed box: `version (1) | ephemeral public key (32) | nonce (12) | ciphertext | tag (16)`.
 * The first byte of the plaintext says how the rest is packed.
 */
export const VERSION = 1
export const KEY_BYTES = 32
export const NONCE_BYTES = 12
export const TAG_BYTES = 16
export const HEADER_BYTES = 1 + KEY_BYTES + NONCE_BYTES
export const ALGORITHM = 'aes-256-gcm'

export const PACKED_RAW = 0
export const PACKED_ZSTD = 1

/** The AES key of an X25519 agreement: HKDF-SHA256, salted with both public keys, so that a box belongs to this pair only. */
export function boxKey(
  privateKey: KeyObject,
  publicKey: KeyObject,
  ephemeral: Uint8Array,
  recipient: Uint8Array,
): Buffer {
  const shared = diffieHellman({ privateKey, publicKey })
  return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([ephemeral, recipient]), 'mayfly/v1 seal', KEY_BYTES))
}
