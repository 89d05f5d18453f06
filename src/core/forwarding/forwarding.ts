import type { AddressId, MessageId, SecretId } from '../ids.ts'
import type { Authentication } from '../mailbox/message.ts'

/** 22 random characters. */
export type ForwardingId = string
/** A keyed hash of a destination, 22 characters. */
export type DestinationKey = string

/**
 * `waiting`: the destination has not consented yet. `on`. `paused` by the owner of the address. `ended`. Expiry is not
 * stored: it follows from `endsAt`.
 */
export type ForwardingState = 'waiting' | 'on' | 'paused' | 'ended'

/**
 * Why a forwarding has ended: its time is over (`expired`), the confirmation link expired (`unconfirmed`), the owner
 * stopped it (`stopped`), the secret of the address was replaced (`replaced`), the destination refused it (`declined`),
 * its emails bounced (`bounced`), or the recipient reported abuse (`complained`).
 */
export type ForwardingEnd = 'expired' | 'unconfirmed' | 'stopped' | 'replaced' | 'declined' | 'bounced' | 'complained'

/**
 * What a destination can decide. `confirm` and `decline` belong to the link of a confirmation email, `stop` to that of a
 * forwarded message, `never` to both.
 */
export const CONSENT_ACTS = ['confirm', 'decline', 'never', 'stop'] as const
export type ConsentAct = (typeof CONSENT_ACTS)[number]

/**
 * Forwards the messages of an address to a destination whose owner consented. Times are milliseconds since the epoch.
 */
export interface ForwardingRow {
  id: ForwardingId
  addressId: AddressId
  destinationKey: DestinationKey
  /** Address and destination, wrapped with the service key. */
  sealedDestination: Uint8Array
  /** The language of the page on which the owner requested it, for the emails to the destination. */
  language: string
  state: ForwardingState
  /** The reason, if the state is `ended`. */
  end: ForwardingEnd | null
  createdAt: number
  /** Null until the destination has consented. */
  confirmedAt: number | null
  /**
   * If `waiting`: when the confirmation link expires. Otherwise: when the forwarding of a free address ends. Ignored
   * for an address of a subscription.
   */
  endsAt: number
  /** The number of recent hard bounces. */
  bounces: number
}

/** The outcome of a forwarding job. */
export type ForwardingOutcome =
  /** The relay accepted it. */
  | 'sent'
  /** The relay, or a server behind it, rejected it permanently. */
  | 'refused'
  /** All attempts failed temporarily. */
  | 'given-up'
  /** The message failed DMARC. */
  | 'dmarc'
  /** It carries Mayfly's own mark, or has too many Received headers. */
  | 'loop'
  | 'too-big'
  /** The destination has reached its hourly or daily limit. */
  | 'too-many'
  /** The destination accepts no mail (RFC 7505), or is an address of this service. */
  | 'no-mail'
  /** The forwarding had ended or was paused. */
  | 'off'

/**
 * One message to forward to one destination. The `id` (a `messageId`, in lower case) sorts by time and is part of the
 * envelope sender.
 */
export interface NewForwardingJob {
  id: string
  forwardingId: ForwardingId
  destinationKey: DestinationKey
}

/** What a message adds to the queue in the transaction that stores it. */
export interface MessageForwarding {
  /** Envelope and raw message (`packBody`), sealed to the service's own key while it waits; one copy for all jobs. */
  sealedMail: Uint8Array
  jobs: readonly NewForwardingJob[]
  /**
   * Set if the message may still be retracted, or its commit be in doubt: when the jobs are due unless they are released
   * before. By default they are due immediately.
   */
  heldUntil?: number | undefined
}

/** A message whose forwarding jobs are held. */
export interface HeldMessage {
  addressId: AddressId
  id: MessageId
  heldUntil: number
}

export interface WaitingJob extends NewForwardingJob {
  addressId: AddressId
  messageId: MessageId
  createdAt: number
  attempts: number
  /** The size of the message in bytes. Of an expired message, that of its sealed and compressed form. */
  size: number
  /** When the lease ends; identifies the lease. */
  leasedUntil: number
}

/** An entry of the forwarding log. Jobs that still wait have no `outcome`. */
export interface ForwardingLogRow {
  id: string
  forwardingId: ForwardingId
  destinationKey: DestinationKey
  messageId: MessageId
  createdAt: number
  attempts: number
  /** The time of the next attempt; null when the job is finished. */
  dueAt: number | null
  finishedAt: number | null
  outcome: ForwardingOutcome | null
  /** The enhanced status code (RFC 3463) of a refusal, such as `5.1.1`. */
  status: string | null
}

export interface ForwardingLimits {
  /** Confirmation emails that a destination gets per 24 hours, whoever requests them. */
  asksPerDay: number
  /** Active or waiting forwardings of an address. */
  destinations: number
  /** All forwardings of an address. The oldest ended ones are removed to make room. */
  rows: number
}

/**
 * Stores forwardings. Times are milliseconds since the epoch. Writes are durable when the promise resolves. Errors as
 * in `Store`.
 */
export interface ForwardingStore {
  /**
   * Adds a waiting forwarding in one transaction, which removes ended forwardings of the address to the same
   * destination.
   * `asked`: the confirmation email is queued in the same transaction. `silent`: no email, because the destination
   * refused all requests, has an open request or reached its daily limit, or because the address does not exist or
   * `secretId` is no longer its secret.
   * `full`: the address has the maximum number of destinations. `there`: the address already forwards to this
   * destination, or waits for its consent. `full` and `there` add nothing.
   */
  ask(
    row: ForwardingRow & { tokenHash: string; secretId?: SecretId },
    limits: ForwardingLimits,
    now: number,
    email: { id: string; sealed: Uint8Array; createdAt: number },
  ): Promise<'asked' | 'silent' | 'full' | 'there'>
  /** Returns the waiting forwarding of a confirmation link that has not expired. */
  findByToken(tokenHash: string, now: number): Promise<ForwardingRow | undefined>
  find(id: ForwardingId): Promise<ForwardingRow | undefined>
  /**
   * Returns the forwardings to a destination, in no particular order, at most one per address unless ended ones were
   * requested again.
   */
  ofDestination(destinationKey: DestinationKey): Promise<ForwardingRow[]>
  /** Returns the forwardings of an address, oldest first. */
  list(addressId: AddressId): Promise<ForwardingRow[]>
  /**
   * Records the consent of the destination in one transaction: `waiting` becomes `on` until `endsAt` and the link
   * becomes void. The address forwards from now on. Unless it is an address of ten minutes, it lives at least until
   * `addressEndsAt`. Returns false if the link was already used or has expired, or if the address does not exist.
   */
  confirm(
    tokenHash: string,
    terms: { endsAt: number; addressEndsAt: number; addressHeldUntil: number },
    now: number,
  ): Promise<boolean>
  /** Changes `on` to `paused` or back, in one atomic step. Returns false if the forwarding is in the wrong state. */
  pause(id: ForwardingId, paused: boolean): Promise<boolean>
  /**
   * Ends a forwarding, then cancels its waiting jobs in as many transactions as their messages need. Does not reject if the
   * store fails after the first one: the sender cancels the rest. Returns false if it had already ended.
   */
  end(id: ForwardingId, end: ForwardingEnd, now: number): Promise<boolean>
  /** Removes an ended forwarding and its log entries in one transaction. Returns false if its state is not `ended`. */
  remove(id: ForwardingId): Promise<boolean>
  /**
   * Blocks all further requests to this destination and ends every forwarding to it as `declined`, in one transaction.
   * Then cancels their waiting jobs like `end`.
   */
  refuse(destinationKey: DestinationKey, now: number): Promise<void>
  /** Counts a hard bounce and drops those older than `since`, in one transaction. Returns the remaining number. */
  recordBounce(id: ForwardingId, at: number, since: number): Promise<number>
  /**
   * Removes up to `limit` requests, up to `limit` hourly counts and up to `limit` destinations that did not change
   * since `before`. `before` must be at least 24 hours ago, because the limits count 24 hours. Returns the number of
   * removed rows.
   */
  forget(before: number, limit: number): Promise<number>
}

/**
 * The queue of forwarding jobs. `MessageStore.append` adds jobs in the transaction of their message. Times are
 * milliseconds since the epoch. Writes are durable when the promise resolves. Errors as in `Store`.
 */
export interface ForwardingJobStore {
  /**
   * Leases up to `limit` due jobs in one atomic step, until `leasedUntil`: at most one per destination and none to
   * `except`. Jobs without an attempt come first, then the oldest.
   */
  take(
    now: number,
    leasedUntil: number,
    options: { limit: number; except: readonly DestinationKey[] },
  ): Promise<WaitingJob[]>
  /** Makes the held jobs of messages due at `now`, in one transaction. */
  release(messages: readonly HeldMessage[], now: number): Promise<void>
  /** Returns the sealed envelope and raw message; undefined if no job waits for it. */
  mail(job: Pick<WaitingJob, 'addressId' | 'messageId'>): Promise<Uint8Array | undefined>
  /**
   * Finishes a job in one transaction. The sealed message is removed with its last job. Returns false if the caller no
   * longer holds the lease.
   */
  finish(
    job: Pick<WaitingJob, 'id' | 'addressId' | 'messageId' | 'leasedUntil'>,
    outcome: ForwardingOutcome,
    now: number,
    status?: string | null,
  ): Promise<boolean>
  /**
   * Reschedules a job for `dueAt` and increments its attempts, unless there was none. Returns false if the caller no
   * longer holds the lease.
   */
  postpone(
    job: Pick<WaitingJob, 'id' | 'leasedUntil'>,
    dueAt: number,
    options?: { isAttempt: boolean },
  ): Promise<boolean>
  /** Returns the job that the envelope recipient of a bounce names. */
  find(id: string): Promise<(ForwardingLogRow & { addressId: AddressId }) | undefined>
  /** Records a bounce: `sent` becomes `refused`. Returns false if the outcome is not `sent`. */
  recordBounce(id: string, status: string | null): Promise<boolean>
  /**
   * Reserves one forwarded message to a destination within its limits per clock hour and per 24 hours, in one atomic
   * step. Returns false if a limit is reached.
   */
  reserve(destinationKey: DestinationKey, now: number, limits: { perHour: number; perDay: number }): Promise<boolean>
  /** Returns the earliest time at which `reserve` would succeed; `now` if no limit is reached. */
  freeAt(destinationKey: DestinationKey, now: number, limits: { perHour: number; perDay: number }): Promise<number>
  /**
   * Returns up to `limit` log entries of an address, newest first. `before` is the id of the last entry of the previous
   * batch.
   */
  log(addressId: AddressId, options: { limit: number; before?: string | undefined }): Promise<ForwardingLogRow[]>
  /** Removes up to `limit` jobs that finished before `before`. Returns the number of removed rows. */
  forget(before: number, limit: number): Promise<number>
  waiting(): Promise<number>
}

/** The header fields to prepend to a forwarded message, and the signing key. */
export interface ForwardRequest {
  /** Complete header fields, each with its CRLF. */
  fields: string
  signing: SigningKey
  /** Other domains and hosts of this service, lower case. Mail in their names must pass DMARC. */
  serviceDomains?: readonly string[]
}

/** A DKIM key (RFC 6376), for Mayfly's DKIM signature and ARC seal (RFC 8617). */
export interface SigningKey {
  domain: string
  selector: string
  /** PKCS #8, PEM. */
  privateKey: string
}

/** A message with the results of its checks, ready to be forwarded unless they forbid it. */
export interface ForwardedMail {
  /** The results of the DNS look-ups that the ARC seal contains. */
  authentication: Authentication
  /** The bytes to prepend to the original message, which stays unchanged. */
  head: Uint8Array
}

/** An automated report about a forwarded message. */
export type MailReport =
  /** RFC 3464: the status codes (RFC 3463) of failed recipients, without `delayed` ones. */
  | { kind: 'bounce'; statuses: string[] }
  /**
   * RFC 5965: the recipient reported it as abuse. `mark` and `stopUrl` come from the reported message, if it contains
   * them.
   */
  | { kind: 'complaint'; mark: string | null; stopUrl: string | null }
