import { type BigIntStats, statSync } from 'node:fs'

/** A file of the database is not where it was: what is written to the open one is lost when the process ends. */
export class MovedError extends Error {
  override readonly name = 'MovedError'

  constructor(path: string) {
    super(`${path} was removed, replaced or emptied while Mayfly runs; put it back, or restart Mayfly`)
  }
}

/** Which file it is, whatever its name; empty for none. */
export const identityOf = (stats: BigIntStats | undefined): string => (stats ? `${stats.dev}.${stats.ino}` : '')

const look = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })

/** Which file is at a path. */
export const identityAt = (path: string): string => identityOf(look(path))

/**
 * Answers a function that throws `MovedError` where the database file is not the one of `identity`, or its log (`-wal`)
 * and the index of that (`-shm`) are not those of this connection, which are there with its first transaction. It costs
 * three calls of stat(2), some microseconds.
 */
export function createInPlace(path: string, identity: string): () => void {
  const others = [`${path}-wal`, `${path}-shm`]
  let opened: string[] | undefined
  let filled = false
  return () => {
    const database = look(path)
    // Emptied it is still the same file; a new one is empty until the first page is written.
    const emptied = filled && database?.size === 0n
    if (identityOf(database) !== identity || emptied) throw new MovedError(path)
    filled ||= database?.size !== 0n
    const found = others.map(identityAt)
    opened ??= found
    const moved = others.find((_, i) => found[i] !== opened?.[i])
    if (moved !== undefined) throw new MovedError(moved)
  }
}
