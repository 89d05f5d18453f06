import type { AddressId, MessageId } from '../ids.ts'

/**
 * What a box contains: the name of an address, its earlier keys, a message, its summary, or a message that waits to be
 * forwarded.
 */
export type BoxKind = 'name' | 'earlier keys' | 'body' | 'summary' | 'forwarding'

/** The place of a box. All fields except `at` are authenticated, so the box opens at no other place. */
export interface BoxPlace {
  kind: BoxKind
  /** The id of the address row, which does not change with the secret. */
  addressId: AddressId
  /** Undefined for a box that belongs to no message. */
  messageId?: MessageId
  /** When the message arrived or the address was created: milliseconds since the epoch. */
  at: number
}

/** Plaintext to seal. Only the private half of `publicKey` (X25519, 32 raw bytes) opens it, and only at `place`. */
export interface SealItem {
  publicKey: Uint8Array
  place: BoxPlace
  plaintext: Uint8Array
}
