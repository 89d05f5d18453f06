import type { WaitingCall, WebhookCallStore } from '#core/webhooks/webhook.ts'
import type { Database } from '../../database.ts'
import { dueIds } from '../due.ts'
import { rowCount } from '../statements.ts'
import { toWebhook, WEBHOOK_COLUMNS } from './webhooks.ts'

export function createWebhookCallStore(db: Database): WebhookCallStore {
  const { read, write } = db

  const removed = (id: string) => write.deleteFrom('webhook_deliveries').where('id', '=', id).compile()

  return {
    async take(now, leasedUntil, rules) {
      const [{ rows }] = await db.batch([
        write
          .updateTable('webhook_deliveries')
          .set({ due_at: leasedUntil })
          .where('id', 'in', dueIds(db, 'webhook_deliveries', now, rules))
          // Repeats the condition: another node may have leased a row while this statement waited for it.
          .where('due_at', '<=', now)
          .returning(['id', 'webhook_id as webhookId', 'sealed', 'created_at as createdAt', 'attempts'])
          .compile(),
      ])
      if (rows.length === 0) return []
      const webhooks = await read
        .selectFrom('webhooks')
        .select(WEBHOOK_COLUMNS)
        .where(
          'id',
          'in',
          rows.map(({ webhookId }) => webhookId),
        )
        .execute()
      const byId = new Map(webhooks.map((row) => [row.id, toWebhook(row)]))
      // Calls that were queued while their webhook was being removed.
      const orphans = rows.filter(({ webhookId }) => !byId.has(webhookId))
      if (orphans.length > 0) await db.batch(orphans.map(({ id }) => removed(id)))
      return rows.flatMap(({ webhookId, ...row }): WaitingCall[] => {
        const webhook = byId.get(webhookId)
        return webhook ? [{ ...row, webhook }] : []
      })
    },

    async recordSuccess({ id, webhook }, at) {
      await db.batch([
        write
          .updateTable('webhooks')
          .set({ delivered_at: at, failing_since: null })
          .where('id', '=', webhook.id)
          .compile(),
        removed(id),
      ])
    },

    async recordFailure({ id, webhook }, at, dueAt) {
      await db.batch([
        write
          .updateTable('webhooks')
          .set({ failing_since: at })
          .where('id', '=', webhook.id)
          .where('failing_since', 'is', null)
          .compile(),
        dueAt === null
          ? removed(id)
          : write
              .updateTable('webhook_deliveries')
              .set((eb) => ({ due_at: dueAt, attempts: eb('attempts', '+', 1) }))
              .where('id', '=', id)
              .compile(),
      ])
    },

    async drop(id) {
      await db.batch([removed(id)])
    },

    waiting: () => rowCount(read.selectFrom('webhook_deliveries')),
  }
}
