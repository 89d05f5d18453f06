/** Returns the time in milliseconds since the epoch. */
export type Clock = () => number

/** Durations in milliseconds. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The longest delay of `setTimeout`, in milliseconds. A longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1
