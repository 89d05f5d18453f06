import type { MessageForwarding } from '../forwarding/forwarding.ts'
import type { AddressId, MessageId } from '../ids.ts'
import type { QueuedCalls, WebhookCalls } from '../webhooks/webhook.ts'
import type { Marks } from './message.ts'

/**
 * The sources of the messages in the operator mailbox: SMTP to postmaster@ or abuse@, a form of the site, or a form
 * that a subscriber filled in. Each source has a share of the mailbox that no other source can fill.
 */
export const OPERATOR_SHARES = ['postmaster', 'abuse', 'contact', 'problem', 'premium'] as const
export type OperatorShare = (typeof OPERATOR_SHARES)[number]

export interface NewMessage {
  addressId: AddressId
  id: MessageId
  receivedAt: number
  expiresAt: number
  /** The size of the raw message as received, in bytes. Counts against `limitBytes` of the address. */
  size: number
  limitBytes: number
  /** The envelope and the raw message, sealed. */
  sealedBody: Uint8Array
  /** The share of the operator mailbox that it uses; undefined in all other mailboxes. */
  share?: OperatorShare | undefined
  /** A keyed hash of the network that sent it, whose part of the share it uses; undefined if no network is limited. */
  network?: string | undefined
  /** Its forwarding jobs. They are queued in the same transaction if the message is stored. */
  forwarding?: MessageForwarding | undefined
}

export interface MessageRow extends Marks {
  addressId: AddressId
  id: MessageId
  revision: number
  receivedAt: number
  expiresAt: number
  size: number
  /** A sealed `SummaryContent`; null until it is created. */
  sealedSummary: Uint8Array | null
}

/** Identifies a message. The times determine where the store keeps it. */
export type MessageKey = Pick<NewMessage, 'addressId' | 'id' | 'receivedAt' | 'expiresAt'>

export interface NewSummary extends MessageKey {
  sealedSummary: Uint8Array
  /** Stores the summary only if the message has none. A stored one may already have the check of the sender. */
  onlyIfNone?: boolean
  /** The calls to queue in the same transaction if this is the first summary of the message. */
  calls?: WebhookCalls | undefined
}

/**
 * The outcome for one message. `full`: the address is over its limit. `gone`: the address does not exist or has
 * expired. `after`: the inbox already has a message with this later id, so a client that has seen that one would miss
 * this one. The caller must assign an id after it and seal the message again.
 */
export type AppendOutcome = 'stored' | { after: MessageId } | 'full' | 'gone'

export interface InboxChanges {
  /**
   * Messages that arrived or changed after the requested revision, and all messages without a summary, oldest change
   * first.
   */
  messages: MessageRow[]
  /** Messages that were deleted or expired after that revision, with the revision of the deletion. */
  deleted: { id: MessageId; revision: number }[]
}

/**
 * Stores messages. Times are milliseconds since the epoch, sizes are bytes. Writes are durable when the promise
 * resolves, except for `retract`. Errors as in `Store`.
 */
export interface MessageStore {
  /**
   * Stores all messages in one transaction, which is durable when the promise resolves. Returns one outcome per
   * message, in order.
   */
  append(messages: readonly NewMessage[]): Promise<AppendOutcome[]>
  /**
   * Stores the summaries in one transaction, each with a new revision of its inbox. Skips messages that no longer
   * exist. Queues the calls of first summaries, except those whose webhook does not exist, is off or has the maximum
   * number of waiting calls.
   */
  attachSummaries(summaries: readonly NewSummary[]): Promise<QueuedCalls>
  /**
   * Returns up to `limit` messages that have not expired at `now`, newest first. `before` and `after` are exclusive.
   */
  list(
    addressId: AddressId,
    options: { now: number; limit: number; before?: MessageId | undefined; after?: MessageId | undefined },
  ): Promise<MessageRow[]>
  find(addressId: AddressId, id: MessageId, now: number): Promise<MessageRow | undefined>
  /** Whether the address has or had the message. A deleted or expired message counts until its tombstone expires. */
  knows(addressId: AddressId, id: MessageId): Promise<boolean>

  /** Returns the sealed body; undefined if the message does not exist. */
  body(message: MessageKey): Promise<Uint8Array | undefined>
  /** Returns the bytes per share, of messages that have not expired at `now`. */
  usedByShare(addressId: AddressId, now: number): Promise<Partial<Record<OperatorShare, number>>>
  /** Returns the bytes of one network in a share, of messages that have not expired at `now`. */
  usedByNetwork(addressId: AddressId, share: OperatorShare, network: string, now: number): Promise<number>

  /** Changes the given marks of a message in one transaction. Returns its revision, or undefined if it does not exist. */
  mark(addressId: AddressId, id: MessageId, marks: Partial<Marks>): Promise<number | undefined>
  /**
   * Changes the given marks of up to some hundred messages in one transaction. Skips messages that have them already or
   * do not exist. Returns whether any message changed.
   */
  markAll(addressId: AddressId, ids: readonly MessageId[], marks: Partial<Marks>): Promise<boolean>
  /**
   * Deletes a message and its forwarding jobs in one transaction. Leaves a tombstone (the id only) for clients that
   * reconnect. Returns the new revision of the inbox, or undefined if the message does not exist.
   */
  remove(addressId: AddressId, id: MessageId): Promise<number | undefined>
  /** Deletes up to some hundred messages like `remove`, in one transaction or several. Skips those that do not exist. */
  removeAll(addressId: AddressId, ids: readonly MessageId[]): Promise<void>

  /** Returns the changes after a revision, as one snapshot. */
  changes(addressId: AddressId, sinceRevision: number, now: number): Promise<InboxChanges>
  /**
   * Removes up to `limit` messages that expired before `now` from their inboxes, the earliest first. Returns the
   * addresses whose inboxes changed, and the number of messages processed: 0 when there are no more. Forwarding jobs
   * stay.
   */
  removeExpired(now: number, limit: number): Promise<{ addressIds: AddressId[]; removed: number }>
  /** Removes messages that were not acknowledged to any sender, as soon as the database allows it. */
  retract(messages: readonly MessageKey[]): Promise<void>
}
