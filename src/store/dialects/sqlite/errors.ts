import { MayflyError } from '#core/errors.ts'
import { MovedError } from './in-place.ts'
import type { JobError } from './protocol.ts'

/**
 * Primary result codes (https://sqlite.org/rescode.html) that mean a fault in Mayfly's own statement, not in the
 * database.
 */
const OWN_FAULTS = new Set([1 /* ERROR */, 19 /* CONSTRAINT */, 20 /* MISMATCH */, 21 /* MISUSE */, 25 /* RANGE */])
const FULL = 13
const CORRUPT = 11
/** Extended codes: a page could not be read, or only a part of it, or the file system found it damaged. */
const UNREADABLE = new Set([
  266 /* IOERR_READ */, 522 /* IOERR_SHORT_READ */, 8202 /* IOERR_DATA */, 8458 /* IOERR_CORRUPTFS */,
])

/** Pages that a statement needs are damaged. Other statements may work. */
export class DamageError extends MayflyError {
  constructor(cause: Error) {
    super('store_unavailable', undefined, { cause })
  }
}

/** In the thread: classifies an error of node:sqlite. SQLite reports ENOSPC as SQLITE_FULL. */
export function classify(error: unknown): JobError {
  if (error instanceof MovedError) return { code: 'moved', message: error.message }
  const { errcode, message } = error as { errcode?: number; message?: string }
  // The low byte of an extended result code is the primary one.
  const primary = (errcode ?? 0) & 0xff
  // node:sqlite rejects parameters of the wrong type with a TypeError before SQLite sees them.
  const ownFault = OWN_FAULTS.has(primary) || error instanceof TypeError
  const isDamage = primary === CORRUPT || UNREADABLE.has(errcode ?? 0)
  const code = primary === FULL ? 'disk_full' : ownFault ? 'sqlite' : isDamage ? 'damaged' : 'store_unavailable'
  return { code, message: `${message ?? String(error)}${errcode === undefined ? '' : ` (SQLite ${errcode})`}` }
}

/** In the main thread: converts a job error into the error for the caller. */
export function toError({ code, message }: JobError): Error {
  const cause = new Error(message)
  if (code === 'sqlite') return cause
  if (code === 'damaged') return new DamageError(cause)
  return new MayflyError(code === 'moved' ? 'store_unavailable' : code, undefined, { cause })
}
