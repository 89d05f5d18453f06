import type { AccountStore } from './account/account.ts'
import type { ApiKeyStore } from './account/api-key.ts'
import type { KeptAddressStore } from './account/kept-address.ts'
import type { OrderStore } from './billing/order.ts'
import type { ProviderName } from './billing/provider.ts'
import type { SubscriptionStore } from './billing/subscription.ts'
import type { PasswordStore } from './compat/password.ts'
import type { EmailStore } from './email/email.ts'
import type { Channel } from './events.ts'
import type { ForwardingJobStore, ForwardingStore } from './forwarding/forwarding.ts'
import type { AddressStore } from './mailbox/address.ts'
import type { DeliveryStore } from './mailbox/delivery.ts'
import type { MessageStore } from './mailbox/message-store.ts'
import type { WrapStore } from './operating/wraps.ts'
import type { OwnDomainStore } from './own-domains/own-domain.ts'
import type { PushStore } from './push/push.ts'
import type { WebhookCallStore, WebhookStore } from './webhooks/webhook.ts'

/** The name of the embedded database's file in the data directory. */
export const DATABASE_FILE = 'mayfly.db'

/** The names of the metadata entries. Existing databases have them, so they must never change. */
export const METADATA = {
  /** Since when all sealed values are bound to their places. Migration 009 writes it. */
  boundFrom: 'bound from',
  /** The time last stored. */
  clock: 'clock',
  /** Whether the emails of subscriptions are folded: `yes` or `no`. */
  emailsFolded: 'emails folded',
  /** The VAPID keys. */
  pushKeys: 'push keys',
  /** The fingerprint of the service key. */
  serviceKey: 'service-key',
  /** Whether all wrapped values are bound to their rows: `yes` or `no`. */
  wrapsBound: 'wraps bound',
  /** The DKIM key of a selector. */
  dkim: (selector: string) => `dkim ${selector}`,
  /** The start of the last complete comparison with a payment provider. */
  reconciled: (provider: ProviderName) => `reconciled ${provider}`,
} as const

/** Counts of live rows. */
export interface StoreStats {
  addresses: number
  names: number
  messages: number

  /** The total size of all messages as received, in bytes. */
  bytes: number
  /** The size of the database on disk, in bytes. */
  fileBytes: number
}

/**
 * The database, with one port per aggregate.
 *
 * Units: times are milliseconds since the epoch, durations are milliseconds, sizes are bytes.
 *
 * Atomicity: each write is one transaction, and durable when its promise resolves. Sweeps (methods with a `limit`) and
 * methods that say so may take several transactions.
 *
 * Errors: methods reject with the MayflyError `disk_full` or `store_unavailable` if the database can't do its work, and
 * with other errors for faults in Mayfly's own statements. A rejected write has changed nothing, with one exception: if
 * the connection to PostgreSQL breaks during the commit, the write may have happened. Messages that were stored in such
 * a commit are removed again, because their senders retry.
 */
export interface Store {
  addresses: AddressStore
  messages: MessageStore
  deliveries: DeliveryStore
  orders: OrderStore
  subscriptions: SubscriptionStore
  accounts: AccountStore
  keptAddresses: KeptAddressStore
  ownDomains: OwnDomainStore
  emails: EmailStore
  passwords: PasswordStore
  apiKeys: ApiKeyStore
  webhooks: WebhookStore
  webhookCalls: WebhookCallStore
  forwardings: ForwardingStore
  forwardingJobs: ForwardingJobStore
  pushes: PushStore
  wraps: WrapStore

  /** Counts what is alive at `now`. Slow: for metrics and the command line, not for every request. */
  stats(now: number): Promise<StoreStats>
  /** Resolves when a read and a durable write transaction succeed; rejects otherwise. */
  check(): Promise<void>
  /** Returns the space of expired rows to the file system, in small steps, and prepares space for new ones. */
  maintain(now: number): Promise<void>
  /** Stores the value unless the metadata entry exists, in one transaction. Returns the stored value. */
  ensureMetadata(name: string, value: string): Promise<string>
  /** Sets a metadata entry, whatever its value was. */
  setMetadata(name: string, value: string): Promise<void>
  /**
   * Whether this process is the leader, which does the periodic work. At most one process per database is; if it dies,
   * another one takes over.
   */
  isLeader(): Promise<boolean>
  /** The channel to the other processes on the same database. */
  channel: Channel

  /**
   * Closes the database. Pending work completes first, on PostgreSQL within a grace period of a few seconds. Later
   * calls reject with `store_unavailable`.
   */
  close(): Promise<void>
}
