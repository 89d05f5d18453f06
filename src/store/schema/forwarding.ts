import type { ForwardingEnd, ForwardingOutcome, ForwardingState } from '#core/forwarding/forwarding.ts'
import type { Bit } from './bit.ts'

/** The tables of forwarding, as `migrations/` makes them. */
export interface ForwardingSchema {
  forwardings: ForwardingsTable
  forwarding_bounces: ForwardingBouncesTable
  forwarding_destinations: ForwardingDestinationsTable
  forwarding_asks: ForwardingAsksTable
  forwarding_counts: ForwardingCountsTable
  forwarding_jobs: ForwardingJobsTable
  forwarding_mails: ForwardingMailsTable
}

export interface ForwardingsTable {
  id: string
  address_id: string
  destination_key: string
  sealed_destination: Uint8Array
  language: string
  state: ForwardingState
  end_reason: ForwardingEnd | null
  /** Of the confirmation link; null when that works no more. */
  token_hash: string | null
  /** Whether a confirmation mail went out: only then is a link outstanding. */
  asked: Bit
  created_at: number
  confirmed_at: number | null
  ends_at: number
  /** How many of its bounces count. */
  bounces: number
}

export interface ForwardingBouncesTable {
  address_id: string
  forwarding_id: string
  id: string
  bounced_at: number
}

/** One row for each destination; whoever asks it writes the row first, so that no two do at once. */
export interface ForwardingDestinationsTable {
  destination_key: string
  changed_at: number
  /** Kept for ever where it isn't null. */
  refused_at: number | null
}

/** The confirmation mails that a destination got. */
export interface ForwardingAsksTable {
  destination_key: string
  forwarding_id: string
  asked_at: number
}

/** Mails to a destination in an hour, counted from the epoch. */
export interface ForwardingCountsTable {
  destination_key: string
  hour: number
  mails: number
}

/** A mail on its way to a destination, and then a line of the log. */
export interface ForwardingJobsTable {
  id: string
  forwarding_id: string
  destination_key: string
  address_id: string
  message_id: string
  created_at: number
  attempts: number
  /** Of one that somebody is sending: when its lease ends. Null when it is over. */
  due_at: number | null
  finished_at: number | null
  outcome: ForwardingOutcome | null
  status: string | null
}

/** Apart from the jobs, which share it; it goes with the last one that waits. */
export interface ForwardingMailsTable {
  message_id: string
  address_id: string
  sealed_mail: Uint8Array
}
