import type { Database } from './database.ts'

/** Keeps the value where the fact has none yet, and answers the one that it has. */
export async function remember({ write, batch }: Database, name: string, value: string): Promise<string> {
  const [, { rows }] = await batch([
    write
      .insertInto('facts')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .compile(),
    write.selectFrom('facts').select('value').where('name', '=', name).compile(),
  ])
  return rows[0]?.value ?? value
}
