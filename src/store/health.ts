import type { Database } from './database.ts'

/** Resolves when a row was written durably, a row was read, and no background fault is known. */
export async function checkHealth({ read, write, snapshot, batch, ensureHealthy }: Database): Promise<void> {
  await Promise.all([
    batch([
      write
        .insertInto('health')
        .values({ id: 1, checks: 1 })
        .onConflict((conflict) => conflict.column('id').doUpdateSet((eb) => ({ checks: eb('health.checks', '+', 1) })))
        .compile(),
    ]),
    ensureHealthy(),
    snapshot([read.selectFrom('health').select('checks').compile()]),
  ])
}
