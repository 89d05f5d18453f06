import type { PasswordStore } from '#core/compat/password.ts'
import type { Database } from '../../database.ts'
import { hasWritten } from '../statements.ts'

export function createPasswordStore(db: Database): PasswordStore {
  return {
    async set({ addressId, sealedSecret }, now) {
      const query = db.write
        .updateTable('addresses')
        .set({ secret_by_password: sealedSecret })
        .where('id', '=', addressId)
        .where('expires_at', '>', now)
      return hasWritten(db, query, [addressId])
    },

    async find(nameKey, now) {
      const row = await db.read
        .selectFrom('names')
        .innerJoin('addresses', 'addresses.id', 'names.address_id')
        .select(['addresses.id as addressId', 'secret_by_password as sealedSecret'])
        .where('names.name_key', '=', nameKey)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      const sealedSecret = row?.sealedSecret
      return row && sealedSecret ? { addressId: row.addressId, sealedSecret } : undefined
    },
  }
}
