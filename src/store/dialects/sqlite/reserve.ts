import { statfs } from 'node:fs/promises'
import { MayflyError } from '#core/errors.ts'
import { createTrouble, type Trouble } from '#core/trouble.ts'

/** Pages of the database: how many are in the log, and how many of the file are free. */
interface Pages {
  pages: number
  free: number
}
/** Page size of the database in bytes. */
const PAGE = 4096

/**
 * Returns the bytes that must be free on the disk. Each page of the log may make the file grow, but free pages of the file
 * are used first. Half of the reserve stays for the log itself.
 */
export function neededBytes(reserve: number, { pages, free }: Pages): number {
  return Math.max(reserve / 2, reserve + (pages - free) * PAGE)
}

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
