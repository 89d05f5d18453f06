import type { PasswordStore } from '#core/compat/password.ts'
import type { Database } from '../../database.ts'

export function createPasswordStore({ read, write, batch }: Database): PasswordStore {
  return {
    async set({ addressId, sealedSecret }, now) {
      const query = write
        .updateTable('addresses')
        .set({ secret_by_password: sealedSecret })
        .where('id', '=', addressId)
        .where('expires_at', '>', now)
        .compile()
      const [{ affected }] = await batch([query], [addressId])
      return affected > 0
    },

    async find(nameKey, now) {
      const row = await read
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
