import { type Kysely, sql, type SqlBool } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** Copied from `messages.ts`, because a migration never changes. */
const hasShare = sql<SqlBool>`(share is not null)`

/** Adds the share of the operator mailbox that a message uses; null in all other mailboxes. */
export async function operatorShares(db: Kysely<never>, { text }: MigrationDialect): Promise<void> {
  await db.schema.alterTable('messages').addColumn('share', text).execute()
  // The share of earlier messages is unknown; they count as mail to postmaster@.
  await sql`
    update messages set share = 'postmaster'
     where address_id in (select id from addresses where lifetime = 'operator')`.execute(db)
  await db.schema
    .createIndex('messages_share')
    .on('messages')
    .columns(['address_id', 'share', 'expires_at', 'size'])
    .where(hasShare)
    .execute()
}
