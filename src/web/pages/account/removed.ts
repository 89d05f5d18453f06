import { problemOf } from '../../api/api.ts'

/** Waits for a deletion. It also succeeds if what it deletes was already deleted elsewhere. */
export const removed = (deletion: Promise<unknown>): Promise<unknown> =>
  deletion.catch((error: unknown) => {
    if (!problemOf(error).code.endsWith('not_found')) throw error
  })
