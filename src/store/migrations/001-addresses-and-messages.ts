import { type Kysely, sql } from 'kysely'
import type { MigrationDialect } from './dialect.ts'

/** Copied from `messages.ts`, because a migration never changes. */
const messageChange = sql<number>`(case when sealed_summary is null then 9007199254740991 else revision end)`

export async function addressesAndMessages(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  const { bytes, integer, text } = dialect
  await dialect
    .clustered(
      db.schema
        .createTable('names')
        .addColumn('name_key', text, (column) => column.notNull().primaryKey())
        .addColumn('address_id', text, (column) => column.notNull())
        .addColumn('held_until', integer, (column) => column.notNull()),
    )
    .execute()
  await db.schema.createIndex('names_held_until').on('names').column('held_until').execute()

  await dialect
    .inboxes(
      db.schema
        .createTable('addresses')
        .addColumn('id', text, (column) => column.notNull().primaryKey())
        .addColumn('name_key', text, (column) => column.notNull())
        .addColumn('public_key', bytes, (column) => column.notNull())
        .addColumn('sealed_name', bytes, (column) => column.notNull())
        .addColumn('lifetime', text, (column) => column.notNull())
        .addColumn('created_at', integer, (column) => column.notNull())
        .addColumn('expires_at', integer, (column) => column.notNull())
        .addColumn('used_bytes', integer, (column) => column.notNull())
        .addColumn('revision', integer, (column) => column.notNull()),
    )
    .execute()
  await db.schema.createIndex('addresses_expires_at').on('addresses').column('expires_at').execute()

  await dialect
    .expiring(
      'clustered',
      db.schema
        .createTable('messages')
        .addColumn('address_id', text, (column) => column.notNull())
        .addColumn('id', text, (column) => column.notNull())
        .addColumn('revision', integer, (column) => column.notNull())
        .addColumn('received_at', integer, (column) => column.notNull())
        .addColumn('expires_at', integer, (column) => column.notNull())
        .addColumn('size', integer, (column) => column.notNull())
        .addColumn('seen', integer, (column) => column.notNull())
        .addColumn('sealed_summary', bytes),
    )
    .execute()
  await db.schema.createIndex('messages_expires_at').on('messages').column('expires_at').execute()
  await db.schema.createIndex('messages_change').on('messages').column('address_id').expression(messageChange).execute()

  await dialect
    .expiring(
      'heap',
      db.schema
        .createTable('bodies')
        .addColumn('address_id', text, (column) => column.notNull())
        .addColumn('id', text, (column) => column.notNull())
        .addColumn('sealed_body', bytes, (column) => column.notNull()),
    )
    .execute()

  await dialect
    .clustered(
      db.schema
        .createTable('tombstones')
        .addColumn('address_id', text, (column) => column.notNull())
        .addColumn('revision', integer, (column) => column.notNull())
        .addColumn('message_id', text, (column) => column.notNull())
        .addColumn('expires_at', integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('tombstones_key', ['address_id', 'revision']),
    )
    .execute()
  await db.schema.createIndex('tombstones_expires_at').on('tombstones').column('expires_at').execute()

  await dialect
    .clustered(
      db.schema
        .createTable('health')
        .addColumn('id', integer, (column) => column.notNull().primaryKey())
        .addColumn('checks', integer, (column) => column.notNull()),
    )
    .execute()
}
