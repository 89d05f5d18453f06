/**
 * Header fields that precede an email in the outbox. They hold its envelope (RFC 5321 2.3.1), which is not part of the
 * email.
 */
export const ENVELOPE_FROM = 'X-Envelope-From'
export const ENVELOPE_TO = 'X-Envelope-To'

/** The emails that Mayfly wrote to files instead of sending them. */
export interface OutboxFiles {
  /** Returns the file names, newest first: `<time>-<kind>-<id>.eml`. */
  list(): Promise<string[]>
  /** Returns undefined if the file does not exist. */
  read(file: string): Promise<Uint8Array | undefined>
  /** Removes files written before a time (milliseconds since the epoch). Returns the number of removed files. */
  prune(before: number): Promise<number>
}
