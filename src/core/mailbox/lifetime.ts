/**
 * How long an address lives: a day that every visit of its owner starts anew, ten fixed minutes, or as long as a subscription;
 * `operator` never ends.
 */
export type Lifetime = 'day' | 'ten-minutes' | 'subscription' | 'operator'

/** What a visitor may ask for. */
export type ChosenLifetime = Extract<Lifetime, 'day' | 'ten-minutes'>

/** Durations in milliseconds, from the configuration. */
export interface Lifetimes {
  day: number
  tenMinutes: number
  /** How long an ended address is held for the holder of its secret. */
  quarantine: number
}

/** The end of time for rows that never expire: 9999-12-31T23:59:59Z, in milliseconds. */
export const NEVER = 253_402_300_799_000

/** When an address that begins or is extended at `now` ends (milliseconds since the epoch). */
export function expiryOf(lifetime: Lifetime, now: number, lifetimes: Lifetimes): number {
  if (lifetime === 'operator' || lifetime === 'subscription') return NEVER
  return now + (lifetime === 'day' ? lifetimes.day : lifetimes.tenMinutes)
}
