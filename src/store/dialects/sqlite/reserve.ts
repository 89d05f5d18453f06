import { statfs } from 'node:fs/promises'
import { MayflyError } from '#core/errors.ts'

/** How old a look at the disk may be, in milliseconds. */
const FRESH = 250

/**
 * Answers a function that rejects with `disk_full` while less than `bytes()` are free on the disk of `directory`.
 * Deleting and cleaning up need room too: mail must stop before the disk is full to the last byte.
 */
export function createReserve(directory: string, bytes: () => number): () => Promise<void> {
  let lookedAt = -Infinity
  let free = Promise.resolve(Infinity)

  async function look(): Promise<number> {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  }

  return async () => {
    if (performance.now() - lookedAt > FRESH) {
      lookedAt = performance.now()
      free = look()
    }
    if ((await free) < bytes()) throw new MayflyError('disk_full')
  }
}
