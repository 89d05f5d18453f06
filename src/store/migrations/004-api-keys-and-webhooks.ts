import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'
import { tableMaker } from './table-maker.ts'

export async function apiKeysAndWebhooks(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  const { bytes, integer, text } = dialect
  const { create, index } = tableMaker(db, dialect)

  await create(
    'api_keys',
    ['id'],
    { id: text, token_hash: text, subscription_id: text, sealed_label: bytes, created_at: integer },
    { used_at: integer },
  )
  await index('api_keys_token', 'api_keys', ['token_hash']).unique().execute()
  await index('api_keys_subscription', 'api_keys', ['subscription_id']).execute()

  await create(
    'webhooks',
    ['id'],
    {
      id: text,
      subscription_id: text,
      sealed_url: bytes,
      sealed_secret: bytes,
      host_key: text,
      created_at: integer,
      is_off: integer,
    },
    { delivered_at: integer, failing_since: integer },
  )
  await index('webhooks_subscription', 'webhooks', ['subscription_id']).execute()

  await create('webhook_deliveries', ['id'], {
    id: text,
    webhook_id: text,
    host_key: text,
    sealed: bytes,
    created_at: integer,
    due_at: integer,
    attempts: integer,
  })
  await index('webhook_deliveries_due_at', 'webhook_deliveries', ['due_at']).execute()
  await index('webhook_deliveries_webhook', 'webhook_deliveries', ['webhook_id']).execute()

  await db.schema.alterTable('addresses').addColumn('key_subscription_id', text).execute()
  await db.schema
    .createIndex('addresses_key_subscription')
    .on('addresses')
    .columns(['key_subscription_id', 'expires_at'] as never[])
    .where('key_subscription_id' as never, 'is not', null)
    .execute()
}
