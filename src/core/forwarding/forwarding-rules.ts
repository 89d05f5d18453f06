import { type Lifetime, NEVER } from '../mailbox/lifetime.ts'
import type { ForwardingEnd, ForwardingRow, ForwardingState } from './forwarding.ts'

/** How many destinations an address may have, by the plan of its owner. */
export interface DestinationLimits {
  free: number
  subscription: number
}

export const destinationLimitOf = (lifetime: Lifetime, destinationLimits: DestinationLimits): number =>
  lifetime === 'subscription' ? destinationLimits.subscription : destinationLimits.free

/** Where a forwarding stands at a time. */
export interface ForwardingStanding {
  state: ForwardingState
  /** Why, where it has ended. */
  end: ForwardingEnd | null
  /** Milliseconds since the epoch; null: as long as the subscription. */
  endsAt: number | null
}

/**
 * Where the forwardings of one address stand, in the order of the rows: what is stored, and what follows from the clock and
 * from the plan. A time that is over, and places beyond those of the plan (the first to agree keep theirs), are `expired`; both
 * come back with the subscription, for nobody writes them down.
 */
export function standingsOf(
  rows: readonly ForwardingRow[],
  address: { lifetime: Lifetime; expiresAt?: number },
  destinationLimits: DestinationLimits,
  now: number,
): ForwardingStanding[] {
  const unbounded = address.lifetime === 'subscription'
  const agreed = rows
    .filter(({ state, endsAt }) => (state === 'on' || state === 'paused') && (unbounded || endsAt > now))
    .toSorted((one, other) => (one.confirmedAt ?? 0) - (other.confirmedAt ?? 0))
  const placed = new Set(agreed.slice(0, destinationLimitOf(address.lifetime, destinationLimits)))
  // Only an address that no visit prolongs takes its forwarding along.
  const until = address.lifetime === 'ten-minutes' ? (address.expiresAt ?? NEVER) : NEVER

  return rows.map((row) => {
    if (row.state === 'ended') return { state: 'ended', end: row.end, endsAt: row.endsAt }
    const endsAt = Math.min(row.endsAt, until)
    if (row.state === 'waiting')
      return row.endsAt > now
        ? { state: 'waiting', end: null, endsAt }
        : { state: 'ended', end: 'unconfirmed', endsAt: row.endsAt }
    return placed.has(row)
      ? { state: row.state, end: null, endsAt: unbounded ? null : endsAt }
      : { state: 'ended', end: 'expired', endsAt: row.endsAt }
  })
}

/** Those of an address that get its mail at a time. */
export function activeOf(
  rows: readonly ForwardingRow[],
  address: { lifetime: Lifetime; private: boolean },
  destinationLimits: DestinationLimits,
  now: number,
): ForwardingRow[] {
  // What only its owner's browser can read is nobody else's to read.
  if (address.private) return []
  const standings = standingsOf(rows, address, destinationLimits, now)
  return rows.filter((_, i) => standings[i]?.state === 'on')
}
