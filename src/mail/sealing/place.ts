import type { AddressRow } from '#core/mailbox/address.ts'
import type { BoxKind, BoxPlace } from '#core/mailbox/box.ts'
import { timeOf } from '#core/mailbox/message-id.ts'
import type { MessageRow } from '#core/mailbox/message-store.ts'

/** Returns the place of a box that belongs to an address. `id` is the id of its row. */
export const addressPlace = (
  kind: Extract<BoxKind, 'name' | 'earlier keys'>,
  { id, createdAt }: Pick<AddressRow, 'id' | 'createdAt'>,
): BoxPlace => ({ kind, addressId: id, at: createdAt })

/** Returns the place of a box that belongs to a message or a failed delivery. */
export const messagePlace = (
  kind: Extract<BoxKind, 'body' | 'summary' | 'forwarding' | 'delivery'>,
  { addressId, id }: Pick<MessageRow, 'addressId' | 'id'>,
): BoxPlace => ({ kind, addressId, messageId: id, at: timeOf(id) })
