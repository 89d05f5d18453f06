import { MayflyError } from '#core/errors.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: faults of our own statements, by class. */
const OWN_FAULTS = /^(?:0A|21|22|23|26|2B|34|42|44)/
const DISK_FULL = '53100'
/** Of two transactions one had to give way; it may simply be tried again. */
const GAVE_WAY = new Set(['40001', '40P01'])
/** No partition for the row. */
const CHECK_VIOLATION = '23514'

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

export const gaveWay = (error: unknown): boolean =>
  GAVE_WAY.has(codeOf(error instanceof MayflyError ? error.cause : error))

export const lacksPartition = (error: unknown): boolean =>
  codeOf(error) === CHECK_VIOLATION && String((error as Error).message).includes('no partition of relation')

/** Whether the server said no; else the connection broke, and nobody knows what it did. */
export const isAnswer = (error: unknown): boolean =>
  'severity' in (error as object) && !/^(?:08|57P)/.test(codeOf(error))

/** What the caller gets: faults of our own as they are, all others as a MayflyError. */
export function toError(error: unknown): Error {
  if (error instanceof MayflyError) return error
  const code = codeOf(error)
  if (OWN_FAULTS.test(code) && isAnswer(error)) return error as Error
  return new MayflyError(code === DISK_FULL ? 'disk_full' : 'store_unavailable', undefined, { cause: error })
}
