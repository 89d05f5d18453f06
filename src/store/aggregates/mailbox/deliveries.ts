import { sql } from 'kysely'
import type { AddressId } from '#core/ids.ts'
import { DELIVERIES_KEPT, type DeliveryStore, type NewDelivery } from '#core/mailbox/delivery.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { deleteOldest } from '../oldest.ts'
import { written } from '../statements.ts'

export function createDeliveryStore(db: Database): DeliveryStore {
  const { read, write } = db

  const putOne = prepared<NewDelivery & { now: number }>()((value) =>
    write
      .insertInto('deliveries')
      .columns(['address_id', 'id', 'expires_at', 'sealed_delivery'])
      .expression(({ selectFrom }) =>
        selectFrom('addresses')
          .select((eb) => [
            'addresses.id as address_id',
            eb.val(value('id')).as('id'),
            eb.val(value('expiresAt')).as('expires_at'),
            eb.val(value('sealedDelivery')).as('sealed_delivery'),
          ])
          .where('addresses.id', '=', value('addressId'))
          .where('addresses.expires_at', '>', value('now')),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['address_id', 'id'])
          .doUpdateSet({ expires_at: value('expiresAt'), sealed_delivery: value('sealedDelivery') }),
      ),
  )

  const dropOldest = prepared<{ addressId: AddressId }>()((value) =>
    write
      .deleteFrom('deliveries')
      .where('address_id', '=', value('addressId'))
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('deliveries as old')
          .select('old.id')
          .where('old.address_id', '=', value('addressId'))
          .orderBy('old.expires_at', 'desc')
          .orderBy('old.id', 'desc')
          .limit(sql.lit(2 * DELIVERIES_KEPT))
          .offset(sql.lit(DELIVERIES_KEPT)),
      ),
  )

  const failedOf = prepared<{ addressId: AddressId; now: number }>()((value) =>
    read
      .selectFrom('deliveries')
      .select(['id', 'sealed_delivery as sealedDelivery'])
      .where('address_id', '=', value('addressId'))
      .where('expires_at', '>', value('now'))
      .orderBy('expires_at', 'desc')
      .limit(sql.lit(DELIVERIES_KEPT)),
  )

  const goneOf = prepared<{ addressId: AddressId; now: number }>()((value) =>
    read
      .selectFrom('tombstones')
      .select('message_id as id')
      .where('address_id', '=', value('addressId'))
      .where('expires_at', '>', value('now'))
      .orderBy('message_id', 'desc')
      .limit(sql.lit(DELIVERIES_KEPT)),
  )

  return {
    async put(deliveries, now) {
      const addressIds = [...new Set(deliveries.map(({ addressId }) => addressId))]
      const statements = [
        ...deliveries.map((each) => putOne({ ...each, now })),
        ...addressIds.map((addressId) => dropOldest({ addressId })),
      ]
      if (statements.length > 0) await db.batch(statements, addressIds)
    },

    async list(addressId, now) {
      const [failed, gone] = await db.snapshot([failedOf({ addressId, now }), goneOf({ addressId, now })])
      return { failed: failed.rows, gone: gone.rows.map(({ id }) => id) }
    },

    removeExpired: (now, limit) =>
      written(
        db,
        deleteOldest(db, 'deliveries', { key: ['address_id', 'id'], where: ['expires_at', '<=', now], limit }),
      ),
  }
}
