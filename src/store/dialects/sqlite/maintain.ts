import type { Route } from './driver.ts'
import type { Statement, StatementResult } from './protocol.ts'

/** Pages that one step gives back; others get their turn in between. */
const STEP = 250
/** Free pages that are left for the mail to come: below both of these nothing is given back. */
const KEEP_PAGES = 1000
const KEEP_SHARE = 0.1

const pragma = (text: string): Statement => ({ sql: `pragma ${text}`, parameters: [] })
const numberOf = (result: StatementResult | undefined): number =>
  Number(typeof result === 'object' ? Object.values(result[0] ?? {})[0] : 0)

/** Cuts free pages off the end of the file, moving used ones to the front. */
export async function reclaim(writer: Pick<Route, 'run'>): Promise<void> {
  for (let last = Infinity; ;) {
    const results = await writer.run('direct', [pragma('freelist_count'), pragma('page_count')])
    const [free, pages] = [numberOf(results[0]), numberOf(results[1])]
    const surplus = free - Math.max(KEEP_PAGES, Math.floor(pages * KEEP_SHARE))
    // Where a step gained nothing the database was made without the map that this needs.
    if (surplus <= 0 || free >= last) return
    last = free
    await writer.run('transaction', [pragma(`incremental_vacuum(${Math.min(STEP, surplus)})`)])
  }
}
