import type { Route } from './driver.ts'
import type { Statement, StatementResult } from './protocol.ts'

/** Pages that one step returns; other jobs run between the steps. */
const STEP = 250
/** Free pages to keep for new messages: below either of these, nothing is returned. */
const KEEP_PAGES = 1000
const KEEP_SHARE = 0.1

const pragma = (text: string): Statement => ({ sql: `pragma ${text}`, parameters: [] })
const numberOf = (result: StatementResult | undefined): number =>
  Number(typeof result === 'object' ? Object.values(result[0] ?? {})[0] : 0)

/** Moves used pages to the front of the file and truncates free pages at its end. */
export async function reclaim(writer: Pick<Route, 'run'>): Promise<void> {
  for (let last = Infinity; ;) {
    const results = await writer.run('direct', [pragma('freelist_count'), pragma('page_count')])
    const [free, pages] = [numberOf(results[0]), numberOf(results[1])]
    const surplus = free - Math.max(KEEP_PAGES, Math.floor(pages * KEEP_SHARE))
    // A step without effect means that the database was created without auto-vacuum.
    if (surplus <= 0 || free >= last) return
    last = free
    await writer.run('transaction', [pragma(`incremental_vacuum(${Math.min(STEP, surplus)})`)])
  }
}
