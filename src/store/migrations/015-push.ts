import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'
import { tableMaker } from './table-maker.ts'

/** Browsers that are told when a message arrives, each with its waiting push. */
export async function push(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  const { bytes, integer, text } = dialect
  const { create, index } = tableMaker(db, dialect)
  await create(
    'push_subscriptions',
    ['id'],
    {
      id: text,
      address_id: text,
      sealed: bytes,
      host_key: text,
      created_at: integer,
      pushed_at: integer,
      attempts: integer,
    },
    { session_id: text, message_id: text, queued_at: integer, due_at: integer },
  )
  await index('push_subscriptions_address', 'push_subscriptions', ['address_id']).execute()
  await index('push_subscriptions_due_at', 'push_subscriptions', ['due_at']).execute()
  await db.schema.alterTable('addresses').addColumn('pushes', integer).execute()
}
