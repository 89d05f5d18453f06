import type { ApiKey, ApiKeyStore } from '#core/account/api-key.ts'
import type { Database } from '../../database.ts'
import { createSubscriptionRow, newTransactionName } from '../billing/subscription-row.ts'
import { hasWritten } from '../statements.ts'

const COLUMNS = [
  'id',
  'token_hash as tokenHash',
  'subscription_id as subscriptionId',
  'sealed_label as sealedLabel',
  'created_at as createdAt',
  'used_at as usedAt',
] as const

export function createApiKeyStore(db: Database): ApiKeyStore {
  const { read, write } = db
  const { touch, isBelow, insertInto } = createSubscriptionRow(db)

  return {
    async add({ id, tokenHash, subscriptionId, sealedLabel, createdAt, usedAt }, max) {
      const writing = { id: subscriptionId, transaction: newTransactionName() }
      const row = {
        id,
        token_hash: tokenHash,
        subscription_id: subscriptionId,
        sealed_label: sealedLabel,
        created_at: createdAt,
        used_at: usedAt,
      }
      const existing = write.selectFrom('api_keys').where('subscription_id', '=', subscriptionId)
      const [, { affected }] = await db.batch([
        touch(writing),
        insertInto('api_keys', row, writing, isBelow(max, existing)).compile(),
      ])
      return affected > 0
    },

    find: (tokenHash): Promise<ApiKey | undefined> =>
      read.selectFrom('api_keys').select(COLUMNS).where('token_hash', '=', tokenHash).executeTakeFirst(),

    list: (subscriptionId): Promise<ApiKey[]> =>
      read
        .selectFrom('api_keys')
        .select(COLUMNS)
        .where('subscription_id', '=', subscriptionId)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    async touch(id, usedAt) {
      await db.batch([write.updateTable('api_keys').set({ used_at: usedAt }).where('id', '=', id).compile()])
    },

    remove: (subscriptionId, id) =>
      hasWritten(db, write.deleteFrom('api_keys').where('id', '=', id).where('subscription_id', '=', subscriptionId)),
  }
}
