import type { ErrorCode } from '#core/errors.ts'

export type SqlValue = null | number | bigint | string | Uint8Array

/**
 * `transaction`: all statements or none, durable when answered. `direct`: as they are, for BEGIN, PRAGMA and the like.
 */
export type JobMode = 'transaction' | 'direct'

export interface Statement {
  sql: string
  parameters: readonly SqlValue[]
}

/** Rows where the statement answers some, else how many it wrote. */
export type StatementResult = Record<string, SqlValue>[] | number

/**
 * `sqlite`: a fault in our own statement; `moved`: the files are gone (`store_unavailable` outside); the rest are
 * MayflyErrors.
 */
export interface JobError {
  code: Extract<ErrorCode, 'disk_full' | 'store_unavailable'> | 'sqlite' | 'moved'
  message: string
}

export type Answer = { id: number; results: StatementResult[] } | { id: number; error: JobError }

/** Pages in the write-ahead log, and how many of them are in the database file already. */
export interface WalState {
  pages: number
  checkpointed: number
}

export interface Response {
  answers: Answer[]
  /** After writes. */
  wal?: WalState
}

export interface Job {
  id: number
  mode: JobMode
  statements: Statement[]
}

/**
 * Jobs on their way into a thread. Each SQL text is in it once; all bytes travel in one buffer that is moved, not
 * copied: `undefined` among the parameters stands for the next of `blobLengths`.
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
  // Never a slice of Node's pool, which could not be moved; and not zeroed, since all of it is written.
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
