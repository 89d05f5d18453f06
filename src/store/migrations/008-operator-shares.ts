import { type Kysely, sql, type SqlBool } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** Copied here because a migration never changes; `messages.ts` queries by the same expression. */
const hasShare = sql<SqlBool>`(share is not null)`

/** Which part of the operator's mailbox a message fills; null in all other inboxes. */
export async function operatorShares(db: Kysely<never>, { text }: MigrationDialect): Promise<void> {
  await db.schema.alterTable('messages').addColumn('share', text).execute()
  // What is there already came to postmaster@ for all that is known.
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
