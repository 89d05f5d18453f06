/** How long is waited after failures, in milliseconds. */
export interface BackOff {
  /** The wait after the first failure, doubled each time, and the longest. */
  first: number
  longest: number
}

/** The wait after one failure more than `attempts`; a random half of it off, so that not all come again at once. `random`: 0 up to 1. */
export const waitAfter = (attempts: number, { first, longest }: BackOff, random: () => number): number =>
  Math.round(Math.min(longest, first * 2 ** attempts) * (1 - random() / 2))
