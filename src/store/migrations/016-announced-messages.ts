import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** Adds the message that a webhook delivery announces. Null for deliveries of earlier versions. */
export async function announcedMessages(db: Kysely<never>, { text }: MigrationDialect): Promise<void> {
  await db.schema.alterTable('webhook_deliveries').addColumn('address_id', text).execute()
  await db.schema.alterTable('webhook_deliveries').addColumn('message_id', text).execute()
  await db.schema
    .createIndex('webhook_deliveries_message')
    .on('webhook_deliveries')
    .columns(['address_id', 'message_id'] as never[])
    .execute()
}
