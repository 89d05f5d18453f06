import { randomBytes } from 'node:crypto'
import type { ForwardingRow, ForwardingStore } from '#core/forwarding/forwarding.ts'
import { ID_BYTES } from '#core/ids.ts'
import { HOUR } from '#core/time.ts'
import type { Database } from '../../database.ts'
import { prepared } from '../../prepared.ts'
import { deleteOldest } from '../oldest.ts'
import { hasWritten } from '../statements.ts'
import { createAsk } from './forwarding-ask.ts'
import { createCancel } from './forwarding-cancel.ts'
import { createConfirm } from './forwarding-confirm.ts'
import { createForwardingRemoval } from './forwarding-removal.ts'
import { FORWARDING_COLUMNS, tidied } from './forwarding-row.ts'

const newId = (): string => randomBytes(ID_BYTES).toString('base64url')

/**
 * Statements write the inbox first, then forwardings, then jobs, then sealed messages. Otherwise two transactions could
 * deadlock.
 */
export function createForwardingStore(db: Database): ForwardingStore {
  const { read, write } = db
  const { deleteSpentMails } = createForwardingRemoval(db)
  const cancel = createCancel(db)
  const selected = () => read.selectFrom('forwardings').select(FORWARDING_COLUMNS)

  const listed = prepared<{ addressId: string }>()((value) =>
    selected().where('address_id', '=', value('addressId')).orderBy('created_at').orderBy('id'),
  )

  const find = (id: string): Promise<ForwardingRow | undefined> => selected().where('id', '=', id).executeTakeFirst()

  const findByToken = (tokenHash: string, now: number): Promise<ForwardingRow | undefined> =>
    selected()
      .where('token_hash', '=', tokenHash)
      .where('state', '=', 'waiting')
      .where('ends_at', '>', now)
      .executeTakeFirst()

  return {
    ask: createAsk(db),
    confirm: createConfirm(db, findByToken),
    find,
    findByToken,

    ofDestination: (destinationKey) => selected().where('destination_key', '=', destinationKey).execute(),

    list: async (addressId) => (await read.executeQuery(listed({ addressId }))).rows,

    pause: (id, paused) =>
      hasWritten(
        db,
        write
          .updateTable('forwardings')
          .set({ state: paused ? 'paused' : 'on' })
          .where('id', '=', id)
          .where('state', '=', paused ? 'on' : 'paused'),
      ),

    async end(id, end, now) {
      const row = await find(id)
      if (!row) return false
      const hasEnded = await hasWritten(
        db,
        write
          .updateTable('forwardings')
          .set({ state: 'ended', end_reason: end, token_hash: null })
          .where('id', '=', id)
          .where('state', '<>', 'ended'),
      )
      await cancel(row, now)
      return hasEnded
    },

    async remove(id) {
      const row = await find(id)
      if (!row) return false
      const { addressId } = row
      const [{ affected }] = await db.batch(
        [
          write.deleteFrom('forwardings').where('id', '=', id).where('state', '=', 'ended').compile(),
          ...tidied(db, addressId),
          deleteSpentMails({ addressId }),
        ],
        [addressId],
      )
      return affected > 0
    },

    async refuse(destinationKey, now) {
      await db.batch([
        write
          .insertInto('forwarding_destinations')
          .values({ destination_key: destinationKey, changed_at: now, refused_at: now })
          .onConflict((conflict) =>
            conflict.column('destination_key').doUpdateSet({ changed_at: now, refused_at: now }),
          )
          .compile(),
        write
          .updateTable('forwardings')
          .set({ state: 'ended', end_reason: 'declined', token_hash: null })
          .where('destination_key', '=', destinationKey)
          .where('state', '<>', 'ended')
          .compile(),
      ])
      await cancel({ destinationKey }, now)
    },

    async recordBounce(id, at, since) {
      const row = await find(id)
      if (!row) return 0
      const ofRow = write.updateTable('forwardings').where('id', '=', id)
      const [, , , { rows }] = await db.batch([
        // Locks the row, so that no other transaction counts at the same time.
        ofRow.set((eb) => ({ bounces: eb.ref('bounces') })).compile(),
        write
          .insertInto('forwarding_bounces')
          .columns(['address_id', 'forwarding_id', 'id', 'bounced_at'])
          .expression((eb) =>
            eb
              .selectFrom('forwardings')
              .select([
                'address_id',
                'forwardings.id as forwarding_id',
                eb.val(newId()).as('id'),
                eb.val(at).as('bounced_at'),
              ])
              .where('forwardings.id', '=', id),
          )
          .compile(),
        write
          .deleteFrom('forwarding_bounces')
          .where('address_id', '=', row.addressId)
          .where('forwarding_id', '=', id)
          .where('bounced_at', '<', since)
          .compile(),
        ofRow
          .set(({ selectFrom }) => ({
            bounces: selectFrom('forwarding_bounces')
              .select(({ fn }) => fn.countAll<number>().as('count'))
              .where('forwarding_bounces.address_id', '=', row.addressId)
              .where('forwarding_id', '=', id),
          }))
          .returning('bounces')
          .compile(),
      ])
      return rows[0]?.bounces ?? 0
    },

    async forget(before, limit) {
      const results = await db.batch([
        deleteOldest(db, 'forwarding_asks', {
          key: ['destination_key', 'forwarding_id'],
          where: ['asked_at', '<', before],
          limit,
        }),
        deleteOldest(db, 'forwarding_counts', {
          key: ['destination_key', 'hour'],
          where: ['hour', '<', Math.floor(before / HOUR)],
          limit,
        }),
        write
          .deleteFrom('forwarding_destinations')
          .where('destination_key', 'in', (eb) =>
            eb
              .selectFrom('forwarding_destinations as old')
              .select('old.destination_key')
              .where('old.changed_at', '<', before)
              .where('old.refused_at', 'is', null)
              .orderBy('old.changed_at')
              .limit(limit),
          )
          // Repeats the conditions: the row may have changed since the subquery read it.
          .where('changed_at', '<', before)
          .where('refused_at', 'is', null)
          .compile(),
      ])
      return results.reduce((sum, { affected }) => sum + affected, 0)
    },
  }
}
