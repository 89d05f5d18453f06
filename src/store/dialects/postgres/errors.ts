import { MayflyError } from '#core/errors.ts'

/**
 * Error classes that mean a fault in Mayfly's own statements
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const OWN_FAULTS = /^(?:0A|21|22|23|26|2B|34|42|44)/
const DISK_FULL = '53100'
/** Serialization failure and deadlock: one of the transactions was aborted and can be retried. */
const RETRYABLE = new Set(['40001', '40P01'])
/** Also raised if no partition exists for a row. */
const CHECK_VIOLATION = '23514'
const LOCK_TIMEOUT = '55P03'

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** The code of the server, also of an error for the caller. */
const serverCodeOf = (error: unknown): string => codeOf(error instanceof MayflyError ? error.cause : error)

export const gaveWay = (error: unknown): boolean => RETRYABLE.has(serverCodeOf(error))

export const isLockTimeout = (error: unknown): boolean => serverCodeOf(error) === LOCK_TIMEOUT

export const lacksPartition = (error: unknown): boolean =>
  codeOf(error) === CHECK_VIOLATION && String((error as Error).message).includes('no partition of relation')

/**
 * Codes after which a connection is not used again: it breaks, the server shuts down, or the server is a standby, which
 * allows no writes.
 */
const UNUSABLE = /^(?:08|57P|25006)/

/** Whether the server reported the error. Otherwise the connection broke, and the outcome is unknown. */
export function isAnswer(error: unknown): boolean {
  const { severity } = error as { severity?: unknown }
  return severity !== undefined && !/FATAL|PANIC/.test(String(severity)) && !UNUSABLE.test(codeOf(error))
}

/** Returns the error for the caller: faults in Mayfly's own statements unchanged, all others as a MayflyError. */
export function toError(error: unknown): Error {
  if (error instanceof MayflyError) return error
  const code = codeOf(error)
  if (OWN_FAULTS.test(code) && isAnswer(error)) return error as Error
  return new MayflyError(code === DISK_FULL ? 'disk_full' : 'store_unavailable', undefined, { cause: error })
}
