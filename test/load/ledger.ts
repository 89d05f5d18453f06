import { hash } from 'node:crypto'

/** What a sender knows about a message: `unknown` until its reply is read, and forever if there is none. */
interface LedgerEntry {
  id: string
  recipient: string
  sha256: string
  outcome: 'unknown' | 'acknowledged' | 'refused'
}

/** The sender's records, separate from the server: the server must have every message that is `acknowledged` here. */
export class Ledger {
  readonly entries = new Map<string, LedgerEntry>()

  /** Before the first byte is sent. */
  sent(id: string, recipient: string, raw: Uint8Array): LedgerEntry {
    const entry: LedgerEntry = { id, recipient, sha256: hash('sha256', raw), outcome: 'unknown' }
    this.entries.set(id, entry)
    return entry
  }

  /** Of all messages, or of those to one recipient. */
  count(outcome: LedgerEntry['outcome'], recipient?: string): number {
    let count = 0
    for (const entry of this.entries.values()) {
      if (entry.outcome === outcome && (recipient === undefined || entry.recipient === recipient)) count++
    }
    return count
  }
}
