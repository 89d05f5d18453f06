import type { Kysely } from 'kysely'

/** Finds the names that are reserved for a later secret of an address by its id. Few names are. */
export async function namesByAddress(db: Kysely<never>): Promise<void> {
  await db.schema
    .createIndex('names_address')
    .on('names')
    .column('address_id' as never)
    .where('secret_id' as never, 'is not', null)
    .execute()
}
