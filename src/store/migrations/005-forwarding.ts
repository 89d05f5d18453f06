import { type Kysely, sql, type SqlBool } from 'kysely'
import type { MigrationDialect } from './dialect.ts'
import { tableMaker } from './table-maker.ts'

/** `waits` is copied from `aggregates/due.ts`, because a migration never changes. */
const waits = sql<SqlBool>`(due_at is not null)`
const finished = sql<SqlBool>`(finished_at is not null)`

export async function forwarding(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  const { bytes, integer, text } = dialect
  const { create, index } = tableMaker(db, dialect)

  await create(
    'forwardings',
    ['id'],
    {
      id: text,
      address_id: text,
      destination_key: text,
      sealed_destination: bytes,
      language: text,
      state: text,
      asked: integer,
      created_at: integer,
      ends_at: integer,
      bounces: integer,
    },
    { end_reason: text, token_hash: text, confirmed_at: integer },
  )
  await index('forwardings_address', 'forwardings', ['address_id', 'created_at']).execute()
  await index('forwardings_destination', 'forwardings', ['destination_key']).execute()
  await index('forwardings_token', 'forwardings', ['token_hash']).unique().execute()

  await create('forwarding_bounces', ['address_id', 'forwarding_id', 'id'], {
    address_id: text,
    forwarding_id: text,
    id: text,
    bounced_at: integer,
  })

  await create(
    'forwarding_destinations',
    ['destination_key'],
    { destination_key: text, changed_at: integer },
    { refused_at: integer },
  )
  await index('forwarding_destinations_changed_at', 'forwarding_destinations', ['changed_at']).execute()

  await create('forwarding_asks', ['destination_key', 'forwarding_id'], {
    destination_key: text,
    forwarding_id: text,
    asked_at: integer,
  })
  await index('forwarding_asks_asked_at', 'forwarding_asks', ['asked_at']).execute()

  await create('forwarding_counts', ['destination_key', 'hour'], {
    destination_key: text,
    hour: integer,
    mails: integer,
  })
  await index('forwarding_counts_hour', 'forwarding_counts', ['hour']).execute()

  await create(
    'forwarding_jobs',
    ['id'],
    {
      id: text,
      forwarding_id: text,
      destination_key: text,
      address_id: text,
      message_id: text,
      created_at: integer,
      attempts: integer,
    },
    { due_at: integer, finished_at: integer, outcome: text, status: text },
  )
  await index('forwarding_jobs_address', 'forwarding_jobs', ['address_id', 'id']).execute()
  await index('forwarding_jobs_message', 'forwarding_jobs', ['address_id', 'message_id']).execute()
  await index('forwarding_jobs_waiting', 'forwarding_jobs', ['destination_key', 'due_at', 'id']).where(waits).execute()
  await index('forwarding_jobs_finished', 'forwarding_jobs', ['finished_at']).where(finished).execute()

  await dialect
    .heap(
      db.schema
        .createTable('forwarding_mails')
        .addColumn('message_id', text, (column) => column.notNull())
        .addColumn('address_id', text, (column) => column.notNull())
        .addColumn('sealed_mail', bytes, (column) => column.notNull())
        // The message id comes first: ids increase with time, so rows and index entries are appended.
        .addPrimaryKeyConstraint('forwarding_mails_key', ['message_id', 'address_id']),
    )
    .execute()
  await index('forwarding_mails_address', 'forwarding_mails', ['address_id', 'message_id']).execute()

  await db.schema.alterTable('addresses').addColumn('forwards', integer).execute()
}
