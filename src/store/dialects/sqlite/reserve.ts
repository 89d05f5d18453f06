import { statfs } from 'node:fs/promises'
import { MayflyError } from '#core/errors.ts'

/** How long a measurement of the free space is used, in milliseconds. */
const FRESH = 250

/**
 * Returns a function that rejects with `disk_full` if less than `bytes()` are free on the disk of `directory`. Deleting
 * and cleaning up need space too, so new messages must be rejected before the disk is full.
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
