import { isReserved } from './reserved.ts'
import { WORDS } from './words.ts'

/**
 * Returns a uniformly distributed integer from 0 up to, but not including, `bound`. Must be cryptographically strong.
 */
export type RandomInt = (bound: number) => number

/** Different numbers at the end. With them, there are more than 2^40 logins. */
const NUMBERS = 1000

/** Returns a random login that is easy to say and type, such as `moon.onion.river471`. Never a reserved one. */
export function randomLogin(random: RandomInt): string {
  const word = (): string => WORDS[random(WORDS.length)] ?? ''
  const login = `${word()}.${word()}.${word()}${random(NUMBERS)}`
  return isReserved(login) ? randomLogin(random) : login
}
