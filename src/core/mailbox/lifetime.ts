/**
 * How long an address lives: a day that restarts with every visit of the owner, ten fixed minutes, or as long as a
 * subscription. `operator` addresses never expire.
 */
export type Lifetime = 'day' | 'ten-minutes' | 'subscription' | 'operator'

/** The lifetimes that a visitor can choose. */
export type ChosenLifetime = Extract<Lifetime, 'day' | 'ten-minutes'>

/** Durations in milliseconds, from the configuration. */
export interface Lifetimes {
  day: number
  tenMinutes: number
  /** How long the name of a deleted or expired address stays reserved for the holder of its secret. */
  quarantine: number
}

/** The expiry time of rows that never expire: 9999-12-31T23:59:59Z, in milliseconds since the epoch. */
export const NEVER = 253_402_300_799_000

/** Returns when an address expires that is created or extended at `now`, in milliseconds since the epoch. */
export function expiryOf(lifetime: Lifetime, now: number, lifetimes: Lifetimes): number {
  if (lifetime === 'operator' || lifetime === 'subscription') return NEVER
  return now + (lifetime === 'day' ? lifetimes.day : lifetimes.tenMinutes)
}
