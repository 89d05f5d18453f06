import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { ForwardingStore } from '#core/forwarding/forwarding.ts'
import type { Database } from '../../database.ts'
import type { Schema } from '../../schema/schema.ts'

/**
 * Creates the method that records the consent: the forwarding becomes active, and its address forwards and is extended.
 */
export function createConfirm(
  { write, batch }: Pick<Database, 'write' | 'batch'>,
  findByToken: ForwardingStore['findByToken'],
): ForwardingStore['confirm'] {
  return async (tokenHash, { endsAt, addressEndsAt, addressHeldUntil }, now) => {
    const row = await findByToken(tokenHash, now)
    if (!row) return false
    const { id, addressId } = row
    const address = write.selectFrom('addresses').where('addresses.id', '=', addressId).where('expires_at', '>', now)

    /** Whether this transaction recorded the consent. */
    const isOn = (): Expression<SqlBool> => {
      const { exists, selectFrom } = expressionBuilder<Schema>()
      return exists(
        selectFrom('forwardings')
          .select('forwardings.id')
          .where('forwardings.id', '=', id)
          .where('state', '=', 'on')
          .where('confirmed_at', '=', now),
      )
    }

    const [{ affected }] = await batch(
      [
        write
          .updateTable('forwardings')
          .set({ state: 'on', confirmed_at: now, ends_at: endsAt, token_hash: null })
          .where('id', '=', id)
          .where('token_hash', '=', tokenHash)
          .where('state', '=', 'waiting')
          .where('ends_at', '>', now)
          .where(({ exists }) => exists(address.select('addresses.id')))
          .compile(),
        write
          .updateTable('names')
          .set({ held_until: addressHeldUntil })
          .where('name_key', 'in', address.select('name_key').where('lifetime', '<>', 'ten-minutes'))
          .where('address_id', '=', addressId)
          .where('held_until', '<', addressHeldUntil)
          .where(isOn())
          .compile(),
        write
          .updateTable('addresses')
          .set((eb) => ({
            forwards: 1,
            expires_at: eb
              .case()
              .when(eb.and([eb('expires_at', '<', addressEndsAt), eb('lifetime', '<>', 'ten-minutes')]))
              .then(addressEndsAt)
              .else(eb.ref('expires_at'))
              .end(),
          }))
          .where('id', '=', addressId)
          .where('expires_at', '>', now)
          .where(isOn())
          .compile(),
      ],
      [addressId],
    )
    return affected > 0
  }
}
