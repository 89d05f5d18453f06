/** The length of all ids but those of messages, in bytes: 22 characters of base64url. */
export const ID_BYTES = 16
/** The length of the secret of an address, in bytes: 43 characters of base64url. */
export const SECRET_BYTES = 32

/**
 * The id of an address row and the first part of every hot key: 22 characters, derived from the address's first secret.
 */
export type AddressId = string
/** The look-up hash of a secret: 22 characters. */
export type SecretId = string
/** A keyed hash of `login@domain`: 22 characters. The store never sees a plaintext address. */
export type NameKey = string
/** 26 characters, sortable by time of arrival. */
export type MessageId = string
/** 22 random characters. */
export type SubscriptionId = string
