import type { AddressId, MessageId } from '../ids.ts'
import type { Authentication } from '../mailbox/message.ts'

/** 22 random characters. */
export type ForwardingId = string
/** A keyed hash of a destination, 22 characters. */
export type DestinationKey = string

/**
 * `waiting` for the destination's word, `on`, `paused` by the owner of the address, `ended`. The end by time is not written
 * down: it follows from `endsAt`.
 */
export type ForwardingState = 'waiting' | 'on' | 'paused' | 'ended'

/** Why one has ended: its time or that of the link is over, the owner or the destination ended it, its mail came back, or was called abuse. */
export type ForwardingEnd = 'expired' | 'unconfirmed' | 'stopped' | 'declined' | 'bounced' | 'complained'

/** Mail of an address that goes on to a real address whose owner agreed. Times are milliseconds since the epoch. */
export interface ForwardingRow {
  id: ForwardingId
  addressId: AddressId
  destinationKey: DestinationKey
  /** Address and destination, wrapped with the service's key. */
  sealedDestination: Uint8Array
  /** Of the page that the owner asked on, for the mails to the destination. */
  language: string
  state: ForwardingState
  /** Why, where the state is `ended`. */
  end: ForwardingEnd | null
  createdAt: number
  /** Null until the destination has agreed. */
  confirmedAt: number | null
  /** Of one that waits: when the link ends. Else when the time of a free address is over; an address of a subscription passes over it. */
  endsAt: number
  /** Hard bounces that count. */
  bounces: number
}

/** What became of a mail that was to be forwarded. */
export type ForwardingOutcome =
  /** The relay took it. */
  | 'sent'
  /** It, or a server behind it, refused it for good. */
  | 'refused'
  /** The relay took none of the tries. */
  | 'given-up'
  /** DMARC says that the sender is not who he says. */
  | 'dmarc'
  /** It bears our own mark, or has too many Received headers. */
  | 'loop'
  | 'too-big'
  /** The destination has had as many mails as an hour or a day may bring. */
  | 'too-many'
  /** The destination takes no mail (RFC 7505), or is an address of ours. */
  | 'no-mail'
  /** The forwarding ended or was paused before. */
  | 'off'

/** One mail on its way to one destination. Its `id` (a `messageId`, in lower case) sorts by time and stands in the envelope sender. */
export interface NewForwardingJob {
  id: string
  forwardingId: ForwardingId
  destinationKey: DestinationKey
}

/** What a message takes along into its transaction. */
export interface MessageForwarding {
  /** Envelope and raw mail (`packBody`), sealed to the service's own key while it waits; one for all jobs. */
  sealedMail: Uint8Array
  jobs: readonly NewForwardingJob[]
}

export interface WaitingJob extends NewForwardingJob {
  addressId: AddressId
  messageId: MessageId
  createdAt: number
  attempts: number
  /** Until when nobody else takes it; names the lease. */
  leasedUntil: number
}

/** A line of what was forwarded; jobs that wait have no `outcome` yet. */
export interface ForwardingLogRow {
  id: string
  forwardingId: ForwardingId
  destinationKey: DestinationKey
  messageId: MessageId
  createdAt: number
  attempts: number
  /** Of the next try, where it waits. */
  dueAt: number | null
  finishedAt: number | null
  outcome: ForwardingOutcome | null
  /** The enhanced status code (RFC 3463) of a refusal, such as `5.1.1`. */
  status: string | null
}

export interface ForwardingLimits {
  /** Confirmation mails that a destination gets in a day, whoever asks. */
  asksPerDay: number
  /** Forwardings of an address that are not ended. */
  destinations: number
  /** Rows of an address in all; the oldest that ended make room. */
  rows: number
}

export interface ForwardingStore {
  /**
   * Adds one that waits. `asked`: a confirmation mail is to go out; `silent`: none, since the destination wants none for ever,
   * has one outstanding or had its share of the day; `full`: the address has as many as it may; `there`: it has one to this
   * destination that is not ended (nothing is added). One atomic step; `email` is queued in it where the answer is `asked`.
   * Rows of the address to the same destination that have ended give way. To an address that is gone nothing is added: `silent`.
   */
  ask(
    row: ForwardingRow & { tokenHash: string },
    limits: ForwardingLimits,
    now: number,
    email: { id: string; sealed: Uint8Array; createdAt: number },
  ): Promise<'asked' | 'silent' | 'full' | 'there'>
  /** The one whose confirmation link this is, as long as it waits and the link is alive. */
  findByToken(tokenHash: string, now: number): Promise<ForwardingRow | undefined>
  find(id: ForwardingId): Promise<ForwardingRow | undefined>
  /** Of a destination, in any order; one for each of its addresses at most, where those that ended were begun again. */
  ofDestination(destinationKey: DestinationKey): Promise<ForwardingRow[]>
  /** Of an address, oldest first. */
  list(addressId: AddressId): Promise<ForwardingRow[]>
  /**
   * The destination agrees: `waiting` becomes `on` until `endsAt`; the link works no more, and the address forwards from now on
   * and lives until `addressEndsAt` at least, but for one of ten minutes. False where another was faster, or the link or the address is over.
   */
  confirm(
    tokenHash: string,
    terms: { endsAt: number; addressEndsAt: number; addressHeldUntil: number },
    now: number,
  ): Promise<boolean>
  /** `on` becomes `paused` or the other way round; false where it is neither. */
  pause(id: ForwardingId, paused: boolean): Promise<boolean>
  /** Ends it, and gives up what waits for it; false where it had ended. */
  end(id: ForwardingId, end: ForwardingEnd, now: number): Promise<boolean>
  /** Takes one in the state `ended`, and its lines of the log, off the list of its address; false where it is in another. */
  remove(id: ForwardingId): Promise<boolean>
  /** This destination is never asked again, and every forwarding to it ends as `declined`. */
  refuse(destinationKey: DestinationKey, now: number): Promise<void>
  /** Counts a hard bounce; those older than `since` count no more. Answers how many there are now. */
  bounced(id: ForwardingId, at: number, since: number): Promise<number>
  /** Forgets up to `limit` asks, and as many counts, of what was before `before`: a day ago or earlier, since those of a day count. */
  forget(before: number, limit: number): Promise<number>
}

/** The queue. Jobs are added by `MessageStore.append`, in the transaction of their message. */
export interface ForwardingJobStore {
  /**
   * Up to `limit` that are due, none to `except`, one for each destination at a call, those that were not tried yet before the
   * others, and the oldest first; nobody else gets them before `leasedUntil`.
   */
  take(
    now: number,
    leasedUntil: number,
    options: { limit: number; except: readonly DestinationKey[] },
  ): Promise<WaitingJob[]>
  /** Envelope and raw mail, sealed; undefined where the job has gone. */
  mail(job: Pick<WaitingJob, 'addressId' | 'messageId'>): Promise<Uint8Array | undefined>
  /** It is over; the mail goes with its last job. False where the lease was another's. */
  finish(
    job: Pick<WaitingJob, 'id' | 'addressId' | 'messageId' | 'leasedUntil'>,
    outcome: ForwardingOutcome,
    now: number,
    status?: string | null,
  ): Promise<boolean>
  /** Again at `dueAt`, with one attempt more. False where the lease was another's. */
  postpone(job: Pick<WaitingJob, 'id' | 'leasedUntil'>, dueAt: number): Promise<boolean>
  /** Which one the envelope sender of a bounce names. */
  find(id: string): Promise<(ForwardingLogRow & { addressId: AddressId }) | undefined>
  /** A mail that was sent came back: `sent` becomes `refused`; false where it is not `sent`. */
  cameBack(id: string, status: string | null): Promise<boolean>
  /** Takes a place among the mails of a destination in this hour of the clock and the last 24; false where there is none left. */
  reserve(destinationKey: DestinationKey, now: number, limits: { perHour: number; perDay: number }): Promise<boolean>
  /** Newest first. */
  log(addressId: AddressId, options: { limit: number; before?: string | undefined }): Promise<ForwardingLogRow[]>
  /** Removes up to `limit` that were over before `before`. */
  forget(before: number, limit: number): Promise<number>
  waiting(): Promise<number>
}

/** The fields that come before a forwarded mail, and what signs it. */
export interface ForwardRequest {
  /** Whole header fields, each with its CRLF. */
  fields: string
  signing: SigningKey
}

/** A DKIM key (RFC 6376), for our signature and our ARC seal (RFC 8617). */
export interface SigningKey {
  domain: string
  selector: string
  /** PKCS #8, PEM. */
  privateKey: string
}

/** A mail that is ready to be forwarded, or that should not be. */
export interface ForwardedMail {
  /** What the look-ups said when it was sealed. */
  authentication: Authentication
  /** All that comes before the bytes of the original, which stay as they are. */
  head: Uint8Array
}

/** What a machine wrote about a mail that we forwarded. */
export type MailReport =
  /** RFC 3464: the statuses (RFC 3463) of the recipients that it failed for; `delayed` ones are left out. */
  | { kind: 'bounce'; statuses: string[] }
  /** RFC 5965: somebody called it abuse; mark and stop link of the mail, where they are in there. */
  | { kind: 'complaint'; mark: string | null; stopUrl: string | null }
