import type { Money, Plan } from '../billing/plan.ts'

/** The mails that Mayfly itself writes, with what stands in them. Times are milliseconds since the epoch. */
export type EmailContent =
  /** `code` is missing where an earlier version queued it. */
  | { kind: 'sign-in'; url: string; code?: string; minutes: number }
  | { kind: 'receipt'; plan: Plan; total: Money; paidAt: number; paidUntil: number; renews: boolean; url: string }
  | { kind: 'renewal'; plan: Plan; total: Money; paidAt: number; paidUntil: number; url: string }
  | { kind: 'renewal-failed'; until: number; url: string }
  | { kind: 'notice'; lapsesAt: number; url: string }
  | { kind: 'ended'; url: string }
  /** To a destination: does it agree? None of the visitor's words are in it. */
  | { kind: 'forwarding-confirm'; url: string; hours: number }
  /** To one that has agreed. `until` null: as long as a subscription; `url` is that of the link that stops it. */
  | { kind: 'forwarding-on'; url: string; until: number | null }
export type EmailKind = EmailContent['kind']

/** A mail that waits to be sent: whom to, which language and `EmailContent`, wrapped with the service's key. */
export interface NewEmail {
  /** 22 random characters. */
  id: string
  sealed: Uint8Array
  createdAt: number
}

export interface WaitingEmail extends NewEmail {
  attempts: number
}

export interface EmailStore {
  /** Passes over those that wait already. */
  add(emails: readonly NewEmail[]): Promise<void>
  /** Up to `limit` that are due at `now`; nobody else gets them before `leasedUntil`. */
  take(now: number, leasedUntil: number, limit: number): Promise<WaitingEmail[]>
  /** It is sent, or given up. */
  remove(id: string): Promise<void>
  /** It failed: again at `dueAt`, with one attempt more. */
  postpone(id: string, dueAt: number): Promise<void>
  waiting(): Promise<number>
}

/** What emails are written with in a language. */
export interface EmailTexts {
  /** A text with its ICU arguments filled in. */
  text(key: `mail.${string}`, values?: Record<string, string | number>): string
  /** The day of a time in milliseconds since the epoch, in UTC. */
  day(time: number): string
  price(money: Money): string
}

/** The texts of a language. */
export type EmailTranslations = (language: string) => Promise<EmailTexts>

/** A mail as it leaves. */
export interface OutboundMail {
  /** What a file of it is called, without an ending: emails, digits, `-` and `_`, and nothing personal. */
  name: string
  to: string
  /** Reverse-path (RFC 5321); without it the one of all mails of Mayfly's own. */
  from?: string
  /** The bytes (RFC 5322). */
  raw: Uint8Array
}

/** A mail was refused for good: to try again is of no use. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
  /** The enhanced status code of the reply (RFC 3463), such as `5.1.1`; null where it had none. */
  readonly status: string | null

  constructor(message: string, status: string | null = null, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** Sends mails of Mayfly's own through the relay, or writes them to the outbox. Rejects where it was not taken. */
export interface Outbound {
  send(mail: OutboundMail): Promise<void>
  close(): Promise<void>
}
