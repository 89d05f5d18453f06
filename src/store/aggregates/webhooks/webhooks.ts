import type { Webhook, WebhookStore } from '#core/webhooks/webhook.ts'
import type { Database } from '../../database.ts'
import { type Bit, fromBit, toBit } from '../../schema/bit.ts'
import { createSubscriptionRow, newTransactionName } from '../billing/subscription-row.ts'
import { hasWritten } from '../statements.ts'

export const WEBHOOK_COLUMNS = [
  'webhooks.id',
  'webhooks.subscription_id as subscriptionId',
  'webhooks.sealed_url as sealedUrl',
  'webhooks.sealed_secret as sealedSecret',
  'webhooks.host_key as hostKey',
  'webhooks.created_at as createdAt',
  'webhooks.delivered_at as deliveredAt',
  'webhooks.failing_since as failingSince',
  'webhooks.is_off as off',
] as const

export const toWebhook = ({ off, ...row }: Omit<Webhook, 'off'> & { off: Bit }): Webhook => ({
  ...row,
  off: fromBit(off),
})

/** Statements write the row of a webhook before those of its calls. Otherwise two transactions could deadlock. */
export function createWebhookStore(db: Database): WebhookStore {
  const { read, write } = db
  const { touch, isBelow, insertInto } = createSubscriptionRow(db)
  const selected = (subscriptionId: string) =>
    read.selectFrom('webhooks').select(WEBHOOK_COLUMNS).where('subscription_id', '=', subscriptionId)

  return {
    async add({ id, subscriptionId, sealedUrl, sealedSecret, hostKey, createdAt, ...state }, max) {
      const writing = { id: subscriptionId, transaction: newTransactionName() }
      const row = {
        id,
        subscription_id: subscriptionId,
        sealed_url: sealedUrl,
        sealed_secret: sealedSecret,
        host_key: hostKey,
        created_at: createdAt,
        delivered_at: state.deliveredAt,
        failing_since: state.failingSince,
        is_off: toBit(state.off),
      }
      const existing = write.selectFrom('webhooks').where('subscription_id', '=', subscriptionId)
      const [, { affected }] = await db.batch([
        touch(writing),
        insertInto('webhooks', row, writing, isBelow(max, existing)).compile(),
      ])
      return affected > 0
    },

    async find(subscriptionId, id) {
      const row = await selected(subscriptionId).where('id', '=', id).executeTakeFirst()
      return row && toWebhook(row)
    },

    async list(subscriptionId) {
      const rows = await selected(subscriptionId).orderBy('created_at').orderBy('id').execute()
      return rows.map(toWebhook)
    },

    replaceSecret: (id, sealedSecret) =>
      hasWritten(
        db,
        write
          .updateTable('webhooks')
          .set({ sealed_secret: sealedSecret, failing_since: null, is_off: 0 })
          .where('id', '=', id),
      ),

    async remove(subscriptionId, id) {
      const [{ affected }] = await db.batch([
        write.deleteFrom('webhooks').where('id', '=', id).where('subscription_id', '=', subscriptionId).compile(),
        write
          .deleteFrom('webhook_deliveries')
          .where('webhook_id', '=', id)
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('webhooks').select('webhooks.id').where('webhooks.id', '=', id))),
          )
          .compile(),
      ])
      return affected > 0
    },

    async recordSuccess(id, at) {
      await db.batch([
        write
          .updateTable('webhooks')
          .set({ delivered_at: at, failing_since: null, is_off: 0 })
          .where('id', '=', id)
          .compile(),
      ])
    },

    async switchOff(id, before) {
      const [{ affected }] = await db.batch([
        write
          .updateTable('webhooks')
          .set({ is_off: 1 })
          .where('id', '=', id)
          .where('is_off', '=', 0)
          .where('failing_since', '<=', before)
          .compile(),
        write
          .deleteFrom('webhook_deliveries')
          .where('webhook_id', 'in', (eb) =>
            eb.selectFrom('webhooks').select('webhooks.id').where('webhooks.id', '=', id).where('is_off', '=', 1),
          )
          .compile(),
      ])
      return affected > 0
    },
  }
}
