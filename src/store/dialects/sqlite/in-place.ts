import { type BigIntStats, statSync } from 'node:fs'

/** A database file is not where it was. Writes to the open file would be lost when the process ends. */
export class MovedError extends Error {
  override readonly name = 'MovedError'

  constructor(path: string) {
    super(`${path} was removed, replaced or emptied while Mayfly runs; put it back, or restart Mayfly`)
  }
}

/** Returns the identity of a file, independent of its name; empty for a missing file. */
export const identityOf = (stats: BigIntStats | undefined): string => (stats ? `${stats.dev}.${stats.ino}` : '')

const statsAt = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })

/** Returns the identity of the file at a path. */
export const identityAt = (path: string): string => identityOf(statsAt(path))

/**
 * Returns a function that throws `MovedError` unless the database file has the given `identity` and its WAL (`-wal`)
 * and WAL index (`-shm`) are still those of this connection. These two exist from its first transaction on. The check
 * makes three calls of stat(2), which take a few microseconds.
 */
export function createInPlace(path: string, identity: string): () => void {
  const companions = [`${path}-wal`, `${path}-shm`]
  let opened: string[] | undefined
  let filled = false
  return () => {
    const database = statsAt(path)
    // A truncated file keeps its identity; a new one is empty until its first page is written.
    const emptied = filled && database?.size === 0n
    if (identityOf(database) !== identity || emptied) throw new MovedError(path)
    filled ||= database?.size !== 0n
    const found = companions.map(identityAt)
    opened ??= found
    const moved = companions.find((_, i) => found[i] !== opened?.[i])
    if (moved !== undefined) throw new MovedError(moved)
  }
}
