/** The waiting times between attempts, in milliseconds. */
export interface BackOff {
  /** The wait after the first failure. It doubles with each further failure. */
  first: number
  /** The maximum wait. */
  longest: number
}

/**
 * Returns the wait after a failure that follows `attempts` earlier failures. Up to half of it is randomly cut, so that
 * clients that failed together do not retry together. `random` returns a number from 0 up to, but not including, 1.
 */
export const waitAfter = (attempts: number, { first, longest }: BackOff, random: () => number): number =>
  Math.round(Math.min(longest, first * 2 ** attempts) * (1 - random() / 2))
