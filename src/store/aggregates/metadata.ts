import type { Database } from '../database.ts'

/** Stores the value unless the entry exists. Returns the stored value. */
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

/** Sets the value of an entry, whatever it was. */
export async function setMetadata({ write, batch }: Database, name: string, value: string): Promise<void> {
  await batch([
    write
      .insertInto('metadata')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .compile(),
  ])
}
