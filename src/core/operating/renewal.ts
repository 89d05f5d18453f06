import { DAY } from '../time.ts'

/** A certificate that is renewed automatically is renewed earlier than this before it expires, in milliseconds. */
export const RENEWAL_TIME = 14 * DAY
