import type { Lifetime } from '#core/mailbox/lifetime.ts'
import type { Marks } from '#core/mailbox/message.ts'
import type { Bit } from './bit.ts'
import type { ForwardingSchema } from './forwarding.ts'
import type { PremiumSchema } from './premium.ts'

/** The tables, as `migrations/` creates them. Times are milliseconds since the epoch, sizes are bytes, ids are text. */
export interface Schema extends PremiumSchema, ForwardingSchema {
  names: NamesTable
  addresses: AddressesTable
  messages: MessagesTable
  bodies: BodiesTable
  tombstones: TombstonesTable
  deliveries: DeliveriesTable
  push_subscriptions: PushSubscriptionsTable
  health: HealthTable
  metadata: MetadataTable
}

/** Which address has a name, and until when it is reserved. Outlives the address. */
interface NamesTable {
  name_key: string
  address_id: string
  held_until: number
  /** The look-up hash of the last secret of the address. Null means that it equals `address_id`. */
  secret_id: string | null
}

interface AddressesTable {
  id: string
  name_key: string
  public_key: Uint8Array
  sealed_name: Uint8Array
  lifetime: Lifetime
  created_at: number
  /** 0 while a deleted address and its messages are being removed. */
  expires_at: number
  used_bytes: number
  revision: number
  /**
   * The id of its last message, also after that was deleted or has expired; empty before the first one. On SQLite it misses
   * the messages of versions before migration 022.
   */
  last_id: string
  subscription_id: string | null
  key_subscription_id: string | null
  /** The API key that created the address; null for all other addresses, and for those of earlier versions. */
  key_id: string | null
  /** The own domain of an address that an API key created; null for all other addresses. */
  own_domain: string | null
  /** Null means 0. */
  private: Bit | null
  /** Null means 0. */
  forwards: Bit | null
  /** Null means 0. */
  pushes: Bit | null
  /** Null means that it equals `id`. */
  secret_id: string | null
  sealed_earlier_keys: Uint8Array | null
  /** Faults for tests of senders; null if there are none. */
  sealed_faults: Uint8Array | null
  /** The secret, sealed under a password; null if the address has none. */
  secret_by_password: Uint8Array | null
}

interface MessagesTable extends Record<keyof Marks, Bit> {
  address_id: string
  id: string
  revision: number
  received_at: number
  expires_at: number
  size: number
  sealed_summary: Uint8Array | null
  /** The share of the operator mailbox, and the network that sent it (`shareValue`); null in all other mailboxes. */
  share: string | null
}

/** Separate from the messages, so that lists never read them. */
interface BodiesTable {
  address_id: string
  id: string
  sealed_body: Uint8Array
}

/** Deleted and expired messages that watchers of an inbox must still be notified of. */
interface TombstonesTable {
  address_id: string
  revision: number
  message_id: string
  expires_at: number
}

/** Attempts to deliver that left no message. */
interface DeliveriesTable {
  address_id: string
  id: string
  expires_at: number
  sealed_delivery: Uint8Array
}

/** Browsers that are told of new messages, each with at most one waiting push. */
interface PushSubscriptionsTable {
  id: string
  address_id: string
  sealed: Uint8Array
  host_key: string
  session_id: string | null
  created_at: number
  /** When the last push was sent; 0 if there was none. */
  pushed_at: number
  attempts: number
  /** The message that the waiting push announces. This and the following columns are null if no push waits. */
  message_id: string | null
  queued_at: number | null
  /** When it is due; while it is leased, when the lease ends. */
  due_at: number | null
}

/** A single row that every health check writes. */
interface HealthTable {
  id: number
  checks: number
}

/** Values that all processes on the database must agree on. */
interface MetadataTable {
  name: string
  value: string
}
