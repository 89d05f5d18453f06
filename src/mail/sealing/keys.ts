import type { KeyObject } from 'node:crypto'

/** What the secret of an address opens. Derived by HKDF-SHA256 for one request and forgotten. */
export interface AddressKeys {
  /** The look-up hash: name of the address row, 22 characters of base64url (128 bits). */
  id: string
  privateKey: KeyObject
  /** X25519, 32 bytes, raw. */
  publicKey: Uint8Array
}
