import type { AddressId, MessageId } from '../ids.ts'
import { domainOf } from './domain.ts'
import type { Authentication, Mailbox, Origin } from './message.ts'

/**
 * The result of an attempt to deliver an email to an address:
 * - `received`: it is in the inbox.
 * - `deleted`: it was received, and its owner deleted it. Only the time is known.
 * - `too-large`, `full`: refused because of its size, or because the mailbox is full.
 * - `deferred`: the sending server was asked to try again later.
 * - `refused`: refused for another reason, which `reply` names.
 * - `interrupted`: the connection ended while the email was being transferred.
 * - `unsent`: the server named the address as the recipient, but did not send an email.
 */
export const DELIVERY_RESULTS = [
  'received',
  'deleted',
  'too-large',
  'full',
  'deferred',
  'refused',
  'interrupted',
  'unsent',
] as const
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number]

/** The number of deliveries that are stored and listed for one address. */
export const DELIVERIES_KEPT = 50

/** An attempt that left no message, in the form that is sealed. Identical attempts are stored as one with a count. */
export interface FailedDelivery {
  /** The last time, and the first time, in milliseconds since the epoch. */
  at: number
  firstAt: number
  count: number
  result: Exclude<DeliveryResult, 'received' | 'deleted'>
  /** The reply to the sending server; null if it got none. */
  reply: string | null
  /** Null if many senders are counted together. */
  origin: Origin | null
  /** Bytes, as declared or received; null if unknown. */
  size: number | null
}

export interface Delivery extends Omit<FailedDelivery, 'result' | 'origin'> {
  result: DeliveryResult
  server: Origin['server'] | null
  senderDomain: string | null
  /** The domain that SPF or DMARC confirmed as the sender; null if none was confirmed. */
  verifiedDomain: string | null
  /** The message in the inbox; null if there is none. */
  messageId: MessageId | null
}

/** The fields of a message in the inbox that a delivery shows. */
interface ReceivedMessage {
  id: MessageId
  receivedAt: number
  size: number
  from: Mailbox
  authentication: Authentication
  /** Missing for messages that were received before deliveries were shown. */
  origin?: Origin | undefined
}

/** The reply to every message that was received. */
const RECEIVED_REPLY = '250 2.6.0 Message accepted'

/** Returns the result of a delivery that got this reply (RFC 5321 4.2.1). */
export function failureOf(reply: string): FailedDelivery['result'] {
  if (reply === '') return 'interrupted'
  if (reply.startsWith('552')) return 'too-large'
  if (reply.startsWith('452 4.2.2')) return 'full'
  return reply.startsWith('4') ? 'deferred' : 'refused'
}

/** DMARC confirms the domain in the From header (RFC 7489), SPF alone that of the envelope sender (RFC 7208). */
function verifiedDomainOf({ from, authentication: { dmarc, spf }, origin }: ReceivedMessage): string | null {
  if (dmarc === 'pass') return domainOf(from.address).toLowerCase() || null
  return spf === 'pass' ? (origin?.senderDomain ?? null) : null
}

export const receivedDelivery = (message: ReceivedMessage): Delivery => ({
  at: message.receivedAt,
  firstAt: message.receivedAt,
  count: 1,
  result: 'received',
  reply: RECEIVED_REPLY,
  server: message.origin?.server ?? null,
  senderDomain: message.origin?.senderDomain ?? null,
  verifiedDomain: verifiedDomainOf(message),
  size: message.size,
  messageId: message.id,
})

export const failedDelivery = ({ origin, ...delivery }: FailedDelivery): Delivery => ({
  ...delivery,
  server: origin?.server ?? null,
  senderDomain: origin?.senderDomain ?? null,
  verifiedDomain: null,
  messageId: null,
})

export const deletedDelivery = (at: number): Delivery => ({
  at,
  firstAt: at,
  count: 1,
  result: 'deleted',
  reply: RECEIVED_REPLY,
  server: null,
  senderDomain: null,
  verifiedDomain: null,
  size: null,
  messageId: null,
})

/** Returns the start of a list: when the address was created, or when entries may have expired. All are milliseconds. */
export const deliveriesSince = (createdAt: number, now: number, retention: number): number =>
  Math.max(createdAt, now - retention)

/** Returns the last deliveries, newest first. */
export const lastDeliveries = (deliveries: readonly Delivery[]): Delivery[] =>
  deliveries.toSorted((a, b) => b.at - a.at).slice(0, DELIVERIES_KEPT)

/** A failed delivery as it is stored. Its id sorts by the time of its first attempt. */
export interface NewDelivery {
  addressId: AddressId
  id: MessageId
  expiresAt: number
  /** A sealed `FailedDelivery`. */
  sealedDelivery: Uint8Array
}

interface StoredDeliveries {
  failed: Pick<NewDelivery, 'id' | 'sealedDelivery'>[]
  /** The ids of messages that are no longer in the inbox, because they were deleted or have expired. Newest first. */
  gone: MessageId[]
}

/** Stores failed deliveries. Times are milliseconds since the epoch. Errors as in `Store`. */
export interface DeliveryStore {
  /**
   * Stores the deliveries in one transaction; each replaces the one with its id. Skips addresses that do not exist or
   * have expired at `now`. Keeps only the `DELIVERIES_KEPT` deliveries of each address with the latest `expiresAt`.
   */
  put(deliveries: readonly NewDelivery[], now: number): Promise<void>
  /** Returns what is stored about an address, at most `DELIVERIES_KEPT` of each kind. */
  list(addressId: AddressId, now: number): Promise<StoredDeliveries>
  /** Removes up to `limit` deliveries that expired before `now`. Returns the number of removed rows. */
  removeExpired(now: number, limit: number): Promise<number>
}
