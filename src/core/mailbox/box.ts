import type { AddressId, MessageId } from '../ids.ts'

/**
 * What a box contains: the name of an address, its earlier keys, a message, its summary, a message that waits to be
 * forwarded, or a failed delivery.
 */
export type BoxKind = 'name' | 'earlier keys' | 'body' | 'summary' | 'forwarding' | 'delivery'

/** The place of a box. All fields except `at` are authenticated, so the box opens at no other place. */
export interface BoxPlace {
  kind: BoxKind
  /** The id of the address row, which does not change with the secret. */
  addressId: AddressId
  /** The id of a message or a failed delivery. Undefined for other boxes. */
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
