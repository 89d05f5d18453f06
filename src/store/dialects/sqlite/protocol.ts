import type { ErrorCode } from '#core/errors.ts'

export type SqlValue = null | number | bigint | string | Uint8Array

/**
 * `transaction`: all statements or none, durable when the promise resolves. `direct`: without a transaction, for BEGIN,
 * PRAGMA and similar statements.
 */
export type JobMode = 'transaction' | 'direct'

export interface Statement {
  sql: string
  parameters: readonly SqlValue[]
}

/** The rows of a statement that returns rows, otherwise the number of rows that it changed. */
export type StatementResult = Record<string, SqlValue>[] | number

/**
 * `sqlite`: a fault in Mayfly's own statement. `moved`: the database files are gone. `damaged`: pages that the statement
 * needs. Callers get `store_unavailable` for both. The others are codes of MayflyErrors.
 */
export interface JobError {
  code: Extract<ErrorCode, 'disk_full' | 'store_unavailable'> | 'sqlite' | 'moved' | 'damaged'
  message: string
}

export type Answer = { id: number; results: StatementResult[] } | { id: number; error: JobError }

/**
 * The size of the write-ahead log in pages, how many of them are already in the database file, and how many pages of that
 * file are free.
 */
export interface WalState {
  pages: number
  checkpointed: number
  free: number
}

export interface Response {
  answers: Answer[]
  /** Only after writes. */
  wal?: WalState
}

export interface Job {
  id: number
  mode: JobMode
  statements: Statement[]
}

/**
 * Jobs as they are sent to a thread. Each SQL text is sent once. All bytes travel in one buffer that is transferred,
 * not copied: `undefined` in the parameters stands for the next of `blobLengths`.
 */
export interface Request {
  texts: string[]
  jobs: { id: number; mode: JobMode; calls: [text: number, parameters: (SqlValue | undefined)[]][] }[]
  blobs: Uint8Array<ArrayBuffer>
  blobLengths: number[]
}

export function encode(jobs: readonly Job[]): Request {
  const texts = new Map<string, number>()
  const blobs: Uint8Array[] = []
  const encoded = jobs.map(({ id, mode, statements }) => ({
    id,
    mode,
    calls: statements.map(({ sql, parameters }): [number, (SqlValue | undefined)[]] => {
      let text = texts.get(sql)
      if (text === undefined) texts.set(sql, (text = texts.size))
      const values = parameters.map((value) => {
        if (!(value instanceof Uint8Array)) return value
        blobs.push(value)
        return undefined
      })
      return [text, values]
    }),
  }))
  return { texts: [...texts.keys()], jobs: encoded, ...join(blobs) }
}

function join(parts: readonly Uint8Array[]): Pick<Request, 'blobs' | 'blobLengths'> {
  const blobLengths = parts.map((part) => part.length)
  // Not a slice of Node's pool, which cannot be transferred. Zeroing is unnecessary, because every byte is written.
  const blobs = Buffer.allocUnsafeSlow(blobLengths.reduce((sum, length) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    blobs.set(part, offset)
    offset += part.length
  }
  return { blobs, blobLengths }
}

export function decode({ texts, jobs, blobs, blobLengths }: Request): Job[] {
  let next = 0
  let offset = 0
  const value = (parameter: SqlValue | undefined): SqlValue => {
    if (parameter !== undefined) return parameter
    const start = offset
    offset += blobLengths[next++] ?? 0
    return blobs.subarray(start, offset)
  }
  return jobs.map(({ id, mode, calls }) => ({
    id,
    mode,
    statements: calls.map(([text, parameters]) => ({ sql: texts[text] ?? '', parameters: parameters.map(value) })),
  }))
}
