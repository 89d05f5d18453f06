import { diffieHellman, hkdfSync, type KeyObject } from 'node:crypto'
import { KEY_BYTES, SEAL_INFO } from './format.ts'

export const ALGORITHM = 'aes-256-gcm'

/**
 * Derives the AES key from an X25519 agreement, salted with both public keys so that a box belongs to this pair only.
 */
export function boxKey(
  privateKey: KeyObject,
  publicKey: KeyObject,
  ephemeral: Uint8Array,
  recipient: Uint8Array,
): Buffer {
  const shared = diffieHellman({ privateKey, publicKey })
  return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([ephemeral, recipient]), SEAL_INFO, KEY_BYTES))
}
