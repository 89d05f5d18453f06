import type { AddressId, MessageId } from '../ids.ts'

/** What a sealed box holds: the name of an address, its earlier keys, a mail, its summary, or a mail that waits to be forwarded. */
export type BoxKind = 'name' | 'earlier keys' | 'body' | 'summary' | 'forwarding'

/** What a box is and where it lies. All but `at` is authenticated with it, so that it opens nowhere else. */
export interface BoxPlace {
  kind: BoxKind
  /** The id of the address's row, which stays when its secret is replaced. */
  addressId: AddressId
  /** Undefined for what belongs to no message. */
  messageId?: MessageId
  /** When the message arrived, or the address was made: milliseconds since the epoch. */
  at: number
}

/** Something to be sealed so that the private half of `publicKey` (X25519, 32 raw bytes) opens it at its place alone. */
export interface SealItem {
  publicKey: Uint8Array
  place: BoxPlace
  plaintext: Uint8Array
}
