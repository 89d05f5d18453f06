/**
 * What is wrong with a database file or its copy. `foreign`: it is not a Mayfly database; `other-key`: it belongs to
 * another service key; `full`: the disk is full; `fault`: any other error.
 */
export type FileFault = 'foreign' | 'damaged' | 'other-key' | 'full' | 'fault'

/** The reason why a database file can't be copied or read. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError'

  readonly fault: FileFault

  constructor(fault: FileFault, message: string = fault) {
    super(message)
    this.fault = fault
  }
}

/** Primary result codes (https://sqlite.org/rescode.html). */
const FAULTS: Record<number, FileFault> = { 11: 'damaged', 13: 'full', 26: 'damaged' }

export function toFileError(error: unknown): DatabaseFileError {
  if (error instanceof DatabaseFileError) return error
  const { message, errcode = 0, code } = error as { message: string; errcode?: number; code?: string }
  // The low byte of an extended result code is the primary one.
  return new DatabaseFileError(code === 'ENOSPC' ? 'full' : (FAULTS[errcode & 0xff] ?? 'fault'), message)
}
