import type { MessageForwarding } from '../forwarding/forwarding.ts'
import type { AddressId, MessageId } from '../ids.ts'

/**
 * The sources of the messages in the operator mailbox: SMTP to postmaster@ or abuse@, a form of the site, or a form that a
 * subscriber filled in. Each source has a share of the mailbox that no other source can fill.
 */
export const OPERATOR_SHARES = ['postmaster', 'abuse', 'contact', 'problem', 'premium'] as const
export type OperatorShare = (typeof OPERATOR_SHARES)[number]

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
