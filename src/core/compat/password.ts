import type { AddressId, NameKey } from '../ids.ts'

/** The secret of an address, sealed under a password. */
export interface PasswordRow {
  addressId: AddressId
  sealedSecret: Uint8Array
}

/** Stores passwords of addresses. A password is removed with its address, and when the secret is replaced. */
export interface PasswordStore {
  /** Sets the password of a live address. Returns false if the address is not alive. */
  set(row: PasswordRow, now: number): Promise<boolean>
  /** Returns the password of the live address with this name, otherwise undefined. */
  find(nameKey: NameKey, now: number): Promise<PasswordRow | undefined>
}
