import type { Database } from '../database.ts'

/** Keeps the value where the fact has none yet, and answers the one that it has. */
export async function ensureMetadata({ write, batch }: Database, name: string, value: string): Promise<string> {
  const [, { rows }] = await batch([
    write
      .insertInto('metadata')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .compile(),
    write.selectFrom('metadata').select('value').where('name', '=', name).compile(),
  ])
  return rows[0]?.value ?? value
}

/** Gives the fact this value, whatever it had. */
export async function setMetadata({ write, batch }: Database, name: string, value: string): Promise<void> {
  await batch([
    write
      .insertInto('metadata')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .compile(),
  ])
}
