import { expressionBuilder } from 'kysely'
import type { Schema } from '../../schema/schema.ts'

/** The live and the expired addresses for which this is the id or the look-up hash of the current secret. */
export const holdersOf = (id: string) => {
  const { selectFrom } = expressionBuilder<Schema>()
  return selectFrom('addresses as holders')
    .select('holders.id')
    .where(({ eb, or }) => or([eb('holders.id', '=', id), eb('holders.secret_id', '=', id)]))
}

/**
 * The names that are reserved for a later secret of the address that had this id. The first secret of the address is
 * its id, so whoever still has it must not get the id again.
 */
export const reservedUnder = (id: string, now: number) => {
  const { selectFrom } = expressionBuilder<Schema>()
  return selectFrom('names as reserved')
    .select('reserved.name_key')
    .where('reserved.address_id', '=', id)
    .where('reserved.secret_id', 'is not', null)
    .where('reserved.held_until', '>', now)
}

/** The entry of the address with this id in a subscriber's list. It outlives the address. */
export const listedUnder = (id: string) => {
  const { selectFrom } = expressionBuilder<Schema>()
  return selectFrom('kept_addresses as listed').select('listed.address_id').where('listed.address_id', '=', id)
}
