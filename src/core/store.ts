import type { AccountStore } from './account/account.ts'
import type { ApiKeyStore } from './account/api-key.ts'
import type { KeptAddressStore } from './account/kept-address.ts'
import type { OrderStore } from './billing/order.ts'
import type { SubscriptionStore } from './billing/subscription.ts'
import type { EmailStore } from './email/email.ts'
import type { Channel } from './events.ts'
import type { ForwardingJobStore, ForwardingStore } from './forwarding/forwarding.ts'
import type { AddressStore } from './mailbox/address.ts'
import type { MessageStore } from './mailbox/message-store.ts'
import type { OwnDomainStore } from './own-domains/own-domain.ts'
import type { WebhookDeliveryStore, WebhookStore } from './webhooks/webhook.ts'

/** The name of the embedded database's file in the data directory. */
export const DATABASE_FILE = 'mayfly.db'

export interface StoreStats {
  addresses: number
  names: number
  messages: number
  bytes: number
  /** Bytes on disk. */
  fileBytes: number
}

export interface Store {
  addresses: AddressStore
  messages: MessageStore
  orders: OrderStore
  subscriptions: SubscriptionStore
  accounts: AccountStore
  keptAddresses: KeptAddressStore
  ownDomains: OwnDomainStore
  emails: EmailStore
  apiKeys: ApiKeyStore
  webhooks: WebhookStore
  webhookDeliveries: WebhookDeliveryStore
  forwardings: ForwardingStore
  forwardingJobs: ForwardingJobStore
  stats(now: number): Promise<StoreStats>
  /** Resolves when a read and a write transaction go through; rejects otherwise. */
  check(): Promise<void>
  /** Gives the space of what has expired back to the file system, in small steps, and makes room for what will come. */
  maintain(now: number): Promise<void>
  /** Keeps the value of a fact about the service unless it has one; answers the one that it has. */
  ensureMetadata(fact: string, value: string): Promise<string>
  /** Gives a fact another value. */
  setMetadata(fact: string, value: string): Promise<void>
  /** Whether periodic work is this process's at the moment: of all on one database, it is one's, and another's when that one dies. */
  isLeader(): Promise<boolean>
  /** To the other processes on the same database. */
  channel: Channel
  close(): Promise<void>
}
