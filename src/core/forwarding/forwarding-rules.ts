import { type Lifetime, NEVER } from '../mailbox/lifetime.ts'
import type { ForwardingEnd, ForwardingId, ForwardingRow, ForwardingState } from './forwarding.ts'

/** The maximum number of destinations of an address, by plan. */
export interface DestinationLimits {
  free: number
  subscription: number
}

export const destinationLimitOf = (lifetime: Lifetime, destinationLimits: DestinationLimits): number =>
  lifetime === 'subscription' ? destinationLimits.subscription : destinationLimits.free

/** The effective state of a forwarding at a given time. */
export interface ForwardingStanding {
  state: ForwardingState
  /** Why it has ended, if `state` is `ended`. */
  end: ForwardingEnd | null
  /** Milliseconds since the epoch; null: as long as the subscription lasts. */
  endsAt: number | null
}

/** Returns the confirmed forwardings that have not expired, in the order in which they get places. */
const agreedOf = (rows: readonly ForwardingRow[], lifetime: Lifetime, now: number): ForwardingRow[] =>
  rows
    .filter(
      ({ state, endsAt }) => (state === 'on' || state === 'paused') && (lifetime === 'subscription' || endsAt > now),
    )
    .toSorted((one, other) => (one.confirmedAt ?? 0) - (other.confirmedAt ?? 0))

/** Returns the forwardings that wait for a place, if `id` has one: the first of them would start when `id` ends. */
export function waitingBehind(
  id: ForwardingId,
  rows: readonly ForwardingRow[],
  { lifetime }: { lifetime: Lifetime },
  destinationLimits: DestinationLimits,
  now: number,
): ForwardingRow[] {
  const agreed = agreedOf(rows, lifetime, now)
  const max = destinationLimitOf(lifetime, destinationLimits)
  return agreed.slice(0, max).some((row) => row.id === id) ? agreed.slice(max) : []
}

/**
 * Returns the effective states of the forwardings of one address, in the order of the rows. They follow from the stored
 * states, the time and the plan. A forwarding whose time is over, or that exceeds the limit of the plan (the
 * destinations that consented first keep their places), is `expired`. That is not stored until
 * another one ends before its time (`waitingBehind`), so both resume with the subscription.
 */
export function standingsOf(
  rows: readonly ForwardingRow[],
  address: { lifetime: Lifetime; expiresAt?: number },
  destinationLimits: DestinationLimits,
  now: number,
): ForwardingStanding[] {
  const unbounded = address.lifetime === 'subscription'
  const agreed = agreedOf(rows, address.lifetime, now)
  const placed = new Set(agreed.slice(0, destinationLimitOf(address.lifetime, destinationLimits)))
  // A visit does not extend an address of ten minutes, so its forwardings end with it.
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

/** Returns the forwardings that receive the messages of an address at `now`. */
export function activeOf(
  rows: readonly ForwardingRow[],
  address: { lifetime: Lifetime; private: boolean },
  destinationLimits: DestinationLimits,
  now: number,
): ForwardingRow[] {
  // Only the owner's browser may read the messages of a fully private address.
  if (address.private) return []
  const standings = standingsOf(rows, address, destinationLimits, now)
  return rows.filter((_, i) => standings[i]?.state === 'on')
}
