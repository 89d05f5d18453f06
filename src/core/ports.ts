import type { AccountStore } from './account.ts'
import type { ApiKeyStore, KeyQuota } from './api-key.ts'
import type { ForwardingJobStore, ForwardingStore, MessageForwarding } from './forwarding.ts'
import type { KeptAddressStore } from './kept-address.ts'
import type { LetterStore } from './letter.ts'
import type { Lifetime } from './lifetime.ts'
import type { OperatorShare } from './operator-share.ts'
import type { OrderStore } from './order.ts'
import type { OwnDomainStore } from './own-domain.ts'
import type { SecretChange } from './secret-change.ts'
import type { SubscriptionId, SubscriptionStore } from './subscription.ts'
import type { WebhookDeliveryStore, WebhookStore } from './webhook.ts'

export type { FrameOptions, MailReader, Sealer, SummarizeOptions } from './mail-reader.ts'

/** Milliseconds since the epoch. */
export type Clock = () => number

/** The name of an address row and the first part of every hot key: 22 characters, derived from the address's first secret. */
export type AddressId = string
/** The look-up hash of a secret: 22 characters. */
export type SecretId = string
/** A keyed hash of `login@domain`: 22 characters. The store never sees an address in clear. */
export type NameKey = string
/** 26 characters, sortable by time of arrival. */
export type MessageId = string

export interface AddressRow {
  id: AddressId
  /** The look-up hash of the secret that opens it now: its id until the secret is replaced. */
  secretId: SecretId
  nameKey: NameKey
  /** X25519 public key, 32 bytes, raw. */
  publicKey: Uint8Array
  /** `login@domain`, sealed to `publicKey`. */
  sealedName: Uint8Array
  lifetime: Lifetime
  createdAt: number
  expiresAt: number
  /** Bytes of all messages, as received. */
  usedBytes: number
  /** Counts every change of the inbox; the event id of the live stream. */
  revision: number
  /** Whose it is; null for a free one. */
  subscriptionId: SubscriptionId | null
  /** Whose API key made it: a test address with the rules of a free one; null where none did. */
  keySubscriptionId: SubscriptionId | null
  /** Whether the key is in the owner's browser alone, so that nothing of its mail is read here. */
  private: boolean
  /** Whether a destination has ever agreed to get its mail, so that its forwardings are worth a look. */
  forwards: boolean
  /** The private keys that it had before its secret was replaced (`mail/sealing/key-ring.ts`); null where it never was. */
  sealedEarlierKeys: Uint8Array | null
}

export type NewAddress = Omit<
  AddressRow,
  | 'secretId'
  | 'usedBytes'
  | 'revision'
  | 'subscriptionId'
  | 'keySubscriptionId'
  | 'private'
  | 'forwards'
  | 'sealedEarlierKeys'
> & {
  /** The id where nothing is said: an address that is made again may have had several secrets. */
  secretId?: SecretId
  /** Null where nothing is said. */
  subscriptionId?: SubscriptionId | null
  /** For one that is made with an API key. */
  quota?: KeyQuota | undefined
  /** False where nothing is said. */
  private?: boolean
  /** Until when nobody else can take the name. */
  heldUntil: number
}

export type RecipientRow = Pick<
  AddressRow,
  | 'id'
  | 'nameKey'
  | 'publicKey'
  | 'lifetime'
  | 'usedBytes'
  | 'subscriptionId'
  | 'keySubscriptionId'
  | 'private'
  | 'forwards'
>

export interface AddressStore {
  /**
   * Takes a name that is free, whose hold has ended, or that was held for `previousId` (the last secret of the one that ended).
   * One atomic step. False where the name is somebody else's, or alive, or the quota is used up.
   */
  claim(address: NewAddress, now: number, previousId?: SecretId): Promise<boolean>
  /** The live address (`expiresAt` after `now`), else undefined. */
  find(id: AddressId, now: number): Promise<AddressRow | undefined>
  /** The live address that a secret opens now. */
  findBySecret(secretId: SecretId, now: number): Promise<AddressRow | undefined>
  /** Replaces the secret of a live address that is not fully private, in one transaction. False where another one opens it. */
  replaceSecret(change: SecretChange, now: number): Promise<boolean>
  /** The live addresses that the API keys of a subscription made. */
  ofKeys(subscriptionId: SubscriptionId, now: number): Promise<AddressId[]>
  /** The live addresses of these names, in any order, one row a name at most. */
  findRecipients(names: readonly NameKey[], now: number): Promise<RecipientRow[]>
  /** Moves the end of a live address and of its hold; false where it is not alive. Never moves it to an earlier time. */
  extend(id: AddressId, expiresAt: number, heldUntil: number, now: number): Promise<boolean>
  /** Removes the address and all that belongs to it, and holds its name until `heldUntil`. False where there was none. */
  end(id: AddressId, heldUntil: number): Promise<boolean>
  /** Removes up to `limit` addresses that ended before `now`, oldest end first, and answers them; nobody can read their mail from then on. */
  removeExpired(now: number, limit: number): Promise<AddressId[]>
  /** Forgets up to `limit` names whose hold has ended; answers how many. */
  forgetNames(now: number, limit: number): Promise<number>
}

export interface NewMessage {
  addressId: AddressId
  id: MessageId
  receivedAt: number
  expiresAt: number
  /** Bytes of the raw mail as received; counts against `limitBytes` of the address. */
  size: number
  limitBytes: number
  /** Envelope and raw mail, sealed. */
  sealedBody: Uint8Array
  /** Which part of the operator's mailbox it fills; undefined in all others. */
  share?: OperatorShare | undefined
  /** Where it goes on to; queued if the message is stored, in the same transaction, under its id. */
  forwarding?: MessageForwarding | undefined
}

export interface MessageRow {
  addressId: AddressId
  id: MessageId
  revision: number
  receivedAt: number
  expiresAt: number
  size: number
  seen: boolean
  /** A `SummaryContent`, sealed; null until it is made. */
  sealedSummary: Uint8Array | null
}

/** The times say where the store keeps the message. */
export type MessageKey = Pick<NewMessage, 'addressId' | 'id' | 'receivedAt' | 'expiresAt'>

export interface NewSummary extends MessageKey {
  sealedSummary: Uint8Array
}

/**
 * `stored`, or why not: the address is over its limit, or ended meanwhile; `after`: the inbox has a message of this later id
 * already, and who has seen that one must still find this. It needs an id behind it, and so to be sealed again.
 */
export type AppendOutcome = 'stored' | { after: MessageId } | 'full' | 'gone'

export interface InboxChanges {
  /** Messages that came or changed after the revision asked for, and every one without a summary, oldest change first. */
  messages: MessageRow[]
  /** Messages deleted after that revision, with the revision of the deletion. */
  deleted: { id: MessageId; revision: number }[]
}

export interface MessageStore {
  /** Stores all in one transaction that is durable when the promise resolves. One outcome for each, in order. */
  append(messages: readonly NewMessage[]): Promise<AppendOutcome[]>
  /** Keeps the summaries in one transaction, each with a new revision of its inbox; passes over messages that are gone. */
  attachSummaries(summaries: readonly NewSummary[]): Promise<void>
  /** Newest first; only what has not expired at `now`. `before` and `after` are exclusive. */
  list(
    addressId: AddressId,
    options: { now: number; limit: number; before?: MessageId | undefined; after?: MessageId | undefined },
  ): Promise<MessageRow[]>
  find(addressId: AddressId, id: MessageId, now: number): Promise<MessageRow | undefined>
  /** Whether the address has or had the message: also where it has expired or was deleted, as long as its tombstone is kept. */
  knows(addressId: AddressId, id: MessageId): Promise<boolean>
  body(message: MessageKey): Promise<Uint8Array | undefined>
  /** Bytes of the messages of each share that have not expired at `now`. */
  usedByShare(addressId: AddressId, now: number): Promise<Partial<Record<OperatorShare, number>>>
  setSeen(addressId: AddressId, id: MessageId, seen: boolean): Promise<number | undefined>
  /** Removes the message at once, also what waits to be forwarded of it, and leaves a tombstone (its id only) for streams that reconnect. */
  remove(addressId: AddressId, id: MessageId): Promise<number | undefined>
  changes(addressId: AddressId, sinceRevision: number, now: number): Promise<InboxChanges>
  /**
   * Takes up to `limit` messages that expired before `now` out of their inboxes, oldest end first; answers the addresses
   * whose inboxes changed, and how many messages it went through. What waits to be forwarded goes on.
   */
  removeExpired(now: number, limit: number): Promise<{ addressIds: AddressId[]; removed: number }>
  /** Takes back messages that no sender was told of, as soon as the store can. */
  retract(messages: readonly MessageKey[]): Promise<void>
}

export interface StoreStats {
  addresses: number
  names: number
  messages: number
  bytes: number
  /** Bytes on disk. */
  fileBytes: number
}

/** The topic of changed inboxes: their addresses' ids. */
export const INBOX_TOPIC = 'inbox'

/** Short texts between the processes of one service; they may get lost, and `onGap` tells of it. */
export interface Channel {
  /** Soon, to all other processes; gathered for some milliseconds. Never throws. */
  send(topic: string, item: string): void
  /** Calls `listener` with the items that another process sent on the topic. */
  onItems(topic: string, listener: (items: readonly string[]) => void): void
  /** Calls `listener` after a time in which items may have been missed. */
  onGap(listener: () => void): void
}

export interface Store {
  addresses: AddressStore
  messages: MessageStore
  orders: OrderStore
  subscriptions: SubscriptionStore
  accounts: AccountStore
  keptAddresses: KeptAddressStore
  ownDomains: OwnDomainStore
  letters: LetterStore
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
  remember(fact: string, value: string): Promise<string>
  /** Gives a fact another value. */
  setFact(fact: string, value: string): Promise<void>
  /** Whether periodic work is this process's at the moment: of all on one database, it is one's, and another's when that one dies. */
  hasTurn(): Promise<boolean>
  /** To the other processes on the same database. */
  channel: Channel
  close(): Promise<void>
}

/** Tells who watches an inbox that it changed: an id only, the watcher reads what changed from the store. */
export interface EventBus {
  publish(addressId: AddressId): void
  /** Answers a function that ends the subscription. */
  subscribe(addressId: AddressId, listener: () => void): () => void
  /** Whether somebody listens in this process. */
  isWatched(addressId: AddressId): boolean
}

/** Structured log without personal data: no addresses, subjects, bodies, codes or secrets. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Counters, gauges and histograms by name; labels are few and never personal. */
export interface Metrics {
  count(name: string, labels?: Record<string, string>, by?: number): void
  gauge(name: string, value: number, labels?: Record<string, string>): void
  /** `value` in seconds or bytes, as the name's unit says. */
  observe(name: string, value: number, labels?: Record<string, string>): void
}
