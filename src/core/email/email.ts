import type { Money, Plan } from '../billing/plan.ts'

/** The emails that Mayfly sends, with their variable contents. Times are milliseconds since the epoch. */
export type EmailContent =
  /** `code` is missing in emails that an earlier version queued. */
  | { kind: 'sign-in'; url: string; code?: string; minutes: number }
  | { kind: 'receipt'; plan: Plan; total: Money; paidAt: number; paidUntil: number; renews: boolean; url: string }
  /** `renews` is missing in emails that an earlier version queued. */
  | { kind: 'renewal'; plan: Plan; total: Money; paidAt: number; paidUntil: number; renews?: boolean; url: string }
  /** `until`: when the benefits end. `lapsesAt`: when the addresses get the limits of free ones, if that is known. */
  | { kind: 'renewal-failed'; until: number; lapsesAt?: number; domains?: boolean; url: string }
  /**
   * `endsAt`: when the benefits end; null if they have ended, missing in emails that an earlier version queued.
   * `lapsesAt`: when the addresses get the limits of free ones. `renews`: a card will be charged nevertheless, for example
   * after a refund. `domains`: whether the subscriber owns domains, whose email is refused after the lapse.
   */
  | { kind: 'notice'; endsAt?: number | null; lapsesAt: number; renews?: boolean; domains?: boolean; url: string }
  | { kind: 'ended'; domains?: boolean; url: string }
  /** Asks a destination for consent. Contains no text of the visitor. */
  | { kind: 'forwarding-confirm'; url: string; hours: number }
  /**
   * Confirms the consent to a destination. `until` is null for an address of a subscription; `url` stops the
   * forwarding.
   */
  | { kind: 'forwarding-on'; url: string; until: number | null }
export type EmailKind = EmailContent['kind']

/** An email to queue: recipient, language and `EmailContent`, wrapped with the service key. */
export interface NewEmail {
  /** 22 random characters. */
  id: string
  sealed: Uint8Array
  createdAt: number
}

export interface WaitingEmail extends NewEmail {
  attempts: number
}

/**
 * The queue of outgoing emails. Times are milliseconds since the epoch. Writes are durable when the promise resolves.
 * Errors as in `Store`.
 */
export interface EmailStore {
  /** Queues emails in one transaction. Skips ids that are already queued. */
  add(emails: readonly NewEmail[]): Promise<void>
  /**
   * Leases up to `limit` emails that are due at `now`, in one atomic step: no other caller gets them before
   * `leasedUntil`.
   */
  take(now: number, leasedUntil: number, limit: number): Promise<WaitingEmail[]>
  /** Removes an email that was sent or given up. */
  remove(id: string): Promise<void>
  /** Reschedules a failed email for `dueAt` and increments its attempts. */
  postpone(id: string, dueAt: number): Promise<void>
  waiting(): Promise<number>
}

/** Texts and formats of one language, for emails. */
export interface EmailTexts {
  /** Returns a text with its ICU arguments filled in. */
  text(key: `mail.${string}`, values?: Record<string, string | number>): string
  /** Formats the UTC day of a time in milliseconds since the epoch. */
  day(time: number): string
  price(money: Money): string
}

/** Loads the texts of a language. */
export type EmailTranslations = (language: string) => Promise<EmailTexts>

/** An email as it is handed to the relay. */
export interface OutboundMail {
  /** The name of its file in the outbox, without an extension: letters, digits, `-` and `_`, and nothing personal. */
  name: string
  to: string
  /** Reverse-path (RFC 5321). Default: the configured sender of Mayfly's emails. */
  from?: string
  /** The raw email (RFC 5322). */
  raw: Uint8Array
}

/** The email was rejected permanently: a retry is useless. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
  /** The enhanced status code of the reply (RFC 3463), such as `5.1.1`; null if the reply had none. */
  readonly status: string | null
  /**
   * Whether the reply had no such code, but said that the recipient is unknown (550, 551 or 553 to RCPT, in a text that is
   * not about this service).
   */
  readonly isUnknown: boolean
  /** Whether the relay refused the recipient, in its reply to RCPT, and not the content. */
  readonly isRecipient: boolean

  constructor(
    message: string,
    status: string | null = null,
    options: ErrorOptions & { isUnknown?: boolean; isRecipient?: boolean } = {},
  ) {
    super(message, options)
    this.status = status
    this.isUnknown = options.isUnknown ?? false
    this.isRecipient = options.isRecipient ?? false
  }
}

/**
 * Sends emails through the relay, or writes them to the outbox. Rejects if the email was not accepted, with
 * `MailRefused` if permanently.
 */
export interface Outbound {
  send(mail: OutboundMail): Promise<void>
  close(): Promise<void>
}
