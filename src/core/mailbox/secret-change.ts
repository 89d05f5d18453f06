import type { AddressId, SecretId } from '../ids.ts'

/** All that a new secret changes of an address. */
export interface SecretChange {
  id: AddressId
  /** The secret that it takes the place of: with any other one nothing is changed. */
  previousSecretId: SecretId
  secretId: SecretId
  publicKey: Uint8Array
  sealedName: Uint8Array
  sealedEarlierKeys: Uint8Array
  /** The new secret for the subscriber's list, wrapped with the service's key; null for an address that is nobody's. */
  sealedSecret: Uint8Array | null
}
