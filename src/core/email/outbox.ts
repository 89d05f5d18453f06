/** The fields that stand before a mail in the outbox: its envelope (RFC 5321 2.3.1), which the mail itself doesn't tell. */
export const ENVELOPE_FROM = 'X-Envelope-From'
export const ENVELOPE_TO = 'X-Envelope-To'

/** The mails that would have gone out, as files. */
export interface OutboxFiles {
  /** Names, newest first: `<time>-<kind>-<id>.eml`. */
  list(): Promise<string[]>
  /** Undefined where it isn't there. */
  read(file: string): Promise<Uint8Array | undefined>
  /** Removes what was written before a time; answers how many. */
  prune(before: number): Promise<number>
}
