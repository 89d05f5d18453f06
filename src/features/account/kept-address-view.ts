import { type KeptAddress, keptRow } from '#core/account/kept-address.ts'
import type { AddressId } from '#core/ids.ts'
import type { AddressName } from '#features/mailbox/index.ts'
import type { Wrap } from '#mail/sealing/wrap.ts'

/** Times are milliseconds since the epoch. */
export interface KeptAddressView {
  id: AddressId
  address: string
  /** A label chosen by the subscriber. */
  label: string | null
  /** Whether only the owner's browser has the key. */
  private: boolean
  unread: number
  usedBytes: number
  createdAt: number
  /** Null while it does not expire before the subscription, and after it has expired. */
  expiresAt: number | null
  alive: boolean
}

export const keptName = (wrap: Wrap, row: KeptAddress): AddressName => ({
  address: wrap.unwrapOrEmpty('address', row.sealedName, keptRow(row)),
  nameKey: row.nameKey,
})
