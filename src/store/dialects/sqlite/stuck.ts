import { MayflyError } from '#core/errors.ts'
import { DamageError } from './errors.ts'

/** Removes the oldest rows, and leaves out those that can't be removed. */
interface Stuck<Row> {
  /**
   * Returns up to `limit` rows of `find`. When only stuck ones are left, it rejects with their error, and the next call
   * returns them again.
   */
  without(limit: number, find: (limit: number) => Promise<Row[]>): Promise<Row[]>
  /** Removes rows, each in a job of its own. Returns those for which `remove` resolved with true. */
  removeEach(rows: Row[], remove: (row: Row) => Promise<boolean>): Promise<Row[]>
}

/** Otherwise the oldest rows, which a damaged page makes impossible to remove, would prevent the removal of all others. */
export function createStuck<Row>(keyOf: (row: Row) => string): Stuck<Row> {
  const errors = new Map<string, unknown>()
  return {
    async without(limit, find) {
      const rows = (await find(limit + errors.size)).filter((row) => !errors.has(keyOf(row)))
      const [cause] = errors.values()
      if (rows.length > 0 || cause === undefined) return rows
      const message = `${errors.size} expired addresses or messages can't be removed`
      errors.clear()
      throw new MayflyError('store_unavailable', message, { cause })
    },

    async removeEach(rows, remove) {
      const results = await Promise.allSettled(rows.map(remove))
      let failure: unknown
      const removed = rows.filter((row, i) => {
        const result = results[i]
        if (result?.status !== 'rejected') return result?.value
        const isOfRow = result.reason instanceof DamageError || !(result.reason instanceof MayflyError)
        if (isOfRow) errors.set(keyOf(row), result.reason)
        else failure ??= result.reason
        return false
      })
      if (removed.length === 0 && failure !== undefined) throw failure
      return removed
    },
  }
}
