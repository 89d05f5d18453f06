import { statfs } from 'node:fs/promises'
import { MayflyError } from '#core/errors.ts'
import { createTrouble, type Trouble } from '#core/trouble.ts'

/** How long a measurement of the free space is used, in milliseconds. */
const FRESH = 250

/**
 * Returns a function that rejects with `disk_full` if less than `bytes()` are free on the disk of `directory`. Deleting
 * and cleaning up need space too, so new messages must be rejected before the disk is full.
 * `report` learns when space gets short and when there is room again.
 */
export function createReserve(directory: string, bytes: () => number, report: Trouble): () => Promise<void> {
  const trouble = createTrouble(report)
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
    const [found, needed] = [await free, bytes()]
    if (found >= needed) return trouble.end()
    const cause = new Error(`${directory} has ${found} bytes free; ${needed} must stay free`)
    const error = new MayflyError('disk_full', undefined, { cause })
    trouble.start(error)
    throw error
  }
}
