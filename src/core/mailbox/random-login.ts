import { isReserved } from './reserved.ts'
import { WORDS } from './words.ts'

/**
 * Returns a uniformly distributed integer from 0 up to, but not including, `bound`. Must be cryptographically strong.
 */
export type RandomInt = (bound: number) => number

const NUMBERS = 1000

/** The number of different logins: over 2^40. */
export const RANDOM_LOGINS = WORDS.length ** 3 * NUMBERS

/** Returns a random login that is easy to say and type, such as `amber.otter.moon471`. Never a reserved one. */
export function randomLogin(random: RandomInt): string {
  const word = (): string => WORDS[random(WORDS.length)] ?? ''
  const login = `${word()}.${word()}.${word()}${random(NUMBERS)}`
  return isReserved(login) ? randomLogin(random) : login
}
