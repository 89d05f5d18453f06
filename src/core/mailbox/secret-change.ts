import type { AddressId, SecretId } from '../ids.ts'

/** Everything about an address that changes with its secret. */
export interface SecretChange {
  id: AddressId
  /** The secret to replace. If it is not the current one, nothing changes. */
  previousSecretId: SecretId
  secretId: SecretId
  publicKey: Uint8Array
  sealedName: Uint8Array
  sealedEarlierKeys: Uint8Array
  /**
   * The new secret for the subscriber's list of kept addresses, wrapped with the service key; null for an address that
   * no subscriber keeps.
   */
  sealedSecret: Uint8Array | null
}
