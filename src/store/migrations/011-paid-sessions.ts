import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/**
 * Lets an order open one session, as long as nobody has confirmed the email address of the subscription. Existing
 * subscriptions, and those that the previous version creates, are confirmed: an order opens no session for them.
 */
export async function paidSessions(db: Kysely<never>, { integer, text }: MigrationDialect): Promise<void> {
  await db.schema
    .alterTable('subscriptions')
    .addColumn('confirmed', integer, (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema.alterTable('orders').addColumn('session_id', text).execute()
}
