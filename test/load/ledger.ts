import { hash } from 'node:crypto'

/** What a sender knows of a mail: `unknown` until a reply to it was read, and for ever where none came. */
export interface LedgerEntry {
  id: string
  recipient: string
  sha256: string
  outcome: 'unknown' | 'acknowledged' | 'refused'
}

/** The sender's own books, kept apart from the server: what it must still have is what is `acknowledged` here. */
export class Ledger {
  readonly entries = new Map<string, LedgerEntry>()

  /** Before the first byte leaves. */
  sent(id: string, recipient: string, raw: Uint8Array): LedgerEntry {
    const entry: LedgerEntry = { id, recipient, sha256: hash('sha256', raw), outcome: 'unknown' }
    this.entries.set(id, entry)
    return entry
  }

  /** Of all mails, or of those to one recipient. */
  count(outcome: LedgerEntry['outcome'], recipient?: string): number {
    let count = 0
    for (const entry of this.entries.values()) {
      if (entry.outcome === outcome && (recipient === undefined || entry.recipient === recipient)) count++
    }
    return count
  }
}
