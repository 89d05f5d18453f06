import { MayflyError } from '#core/errors.ts'
import type { Database } from './database.ts'

/** Resolves when a row was written durably, a reader has seen it, and no background fault is known. */
export async function checkHealth({ read, write, snapshot, batch, ensureHealthy }: Database): Promise<void> {
  const check = write
    .insertInto('health')
    .values({ id: 1, checks: 1 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ checks: eb('health.checks', '+', 1) })))
    .returning('checks')
  const [[written]] = await Promise.all([batch([check.compile()]), ensureHealthy()])
  const [seen] = await snapshot([read.selectFrom('health').select('checks').compile()])
  if (Number(seen.rows[0]?.checks) >= Number(written.rows[0]?.checks)) return
  throw new MayflyError('store_unavailable', 'A reader does not see what was written')
}
