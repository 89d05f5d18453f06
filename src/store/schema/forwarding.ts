import type { ForwardingEnd, ForwardingOutcome, ForwardingState } from '#core/forwarding/forwarding.ts'
import type { Bit } from './bit.ts'

/** The tables of forwarding, as `migrations/` creates them. */
export interface ForwardingSchema {
  forwardings: ForwardingsTable
  forwarding_bounces: ForwardingBouncesTable
  forwarding_destinations: ForwardingDestinationsTable
  forwarding_asks: ForwardingAsksTable
  forwarding_counts: ForwardingCountsTable
  forwarding_jobs: ForwardingJobsTable
  forwarding_mails: ForwardingMailsTable
}

interface ForwardingsTable {
  id: string
  address_id: string
  destination_key: string
  sealed_destination: Uint8Array
  language: string
  state: ForwardingState
  end_reason: ForwardingEnd | null
  /** The hash of the confirmation link; null when the link is void. */
  token_hash: string | null
  /** Whether a confirmation email was sent. Only then is a link outstanding. */
  asked: Bit
  created_at: number
  confirmed_at: number | null
  ends_at: number
  /** The number of recent bounces. */
  bounces: number
}

interface ForwardingBouncesTable {
  address_id: string
  forwarding_id: string
  id: string
  bounced_at: number
}

/** One row per destination. A request writes this row first, which serializes requests for the same destination. */
interface ForwardingDestinationsTable {
  destination_key: string
  changed_at: number
  /** When the destination refused all requests. Such rows are kept forever. */
  refused_at: number | null
}

/** The confirmation emails that a destination got. */
interface ForwardingAsksTable {
  destination_key: string
  forwarding_id: string
  asked_at: number
}

/** Messages forwarded to a destination per hour, in hours since the epoch. */
interface ForwardingCountsTable {
  destination_key: string
  hour: number
  mails: number
}

/** A forwarding job, and an entry of the log when it is finished. */
interface ForwardingJobsTable {
  id: string
  forwarding_id: string
  destination_key: string
  address_id: string
  message_id: string
  created_at: number
  attempts: number
  /** When the job is due; while it is leased, when the lease ends. Null when the job is finished. */
  due_at: number | null
  finished_at: number | null
  outcome: ForwardingOutcome | null
  status: string | null
}

/** Separate from the jobs, which share it. It is removed with the last waiting job. */
interface ForwardingMailsTable {
  message_id: string
  address_id: string
  sealed_mail: Uint8Array
}
