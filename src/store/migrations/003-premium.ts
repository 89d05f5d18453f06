import { type Kysely, sql, type SqlBool } from 'kysely'
import type { MigrationDialect } from './dialect.ts'
import { tableMaker } from './table-maker.ts'

/** Copied from `own-domains.ts`, because a migration never changes. */
const owned = sql<SqlBool>`(state <> 'pending')`
const lastChecked = sql<number>`(coalesce(checked_at, 0))`

export async function premium(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  const { bytes, integer, text } = dialect
  const { create, index } = tableMaker(db, dialect)

  await create(
    'subscriptions',
    ['id'],
    {
      id: text,
      email_key: text,
      sealed_email: bytes,
      language: text,
      created_at: integer,
      paid_until: integer,
      renews: integer,
      lapsed: integer,
      revision: integer,
      changed_by: text,
    },
    { plan: text, failing_since: integer, notice_at: integer },
  )
  await index('subscriptions_email', 'subscriptions', ['email_key']).unique().execute()
  await index('subscriptions_end', 'subscriptions', ['lapsed', 'paid_until']).execute()

  await create(
    'payment_sources',
    ['provider', 'ref'],
    { provider: text, ref: text, subscription_id: text, order_id: text, plan: text, renews: integer },
    { customer: text, failing_since: integer },
  )
  await index('payment_sources_subscription', 'payment_sources', ['subscription_id']).execute()

  await create(
    'payments',
    ['provider', 'id'],
    { provider: text, id: text, ref: text, plan: text, amount: integer, currency: text, state: text, paid_at: integer },
    { subscription_id: text, pays_span: integer, pays_until: integer },
  )
  await index('payments_source', 'payments', ['provider', 'ref']).execute()
  await index('payments_subscription', 'payments', ['subscription_id']).execute()

  await create('payment_events', ['provider', 'id'], { provider: text, id: text, received_at: integer })

  await create(
    'orders',
    ['id'],
    {
      id: text,
      email_key: text,
      sealed_email: bytes,
      language: text,
      provider: text,
      plan: text,
      years: integer,
      amount: integer,
      currency: text,
      state: text,
      browser_hash: text,
      created_at: integer,
    },
    { provider_ref: text },
  )
  await index('orders_ref', 'orders', ['provider', 'provider_ref']).unique().execute()
  await index('orders_email', 'orders', ['email_key']).execute()
  await index('orders_created_at', 'orders', ['created_at', 'id']).execute()
  await index('orders_state', 'orders', ['state', 'created_at']).execute()

  await create('letters', ['id'], { id: text, sealed: bytes, created_at: integer, due_at: integer, attempts: integer })
  await index('letters_due_at', 'letters', ['due_at']).execute()

  await create(
    'sign_in_links',
    ['token_hash'],
    { token_hash: text, subscription_id: text, created_at: integer, expires_at: integer, used: integer },
    { browser_hash: text },
  )
  await index('sign_in_links_subscription', 'sign_in_links', ['subscription_id', 'created_at']).execute()
  await index('sign_in_links_expires_at', 'sign_in_links', ['expires_at']).execute()

  await create('account_sessions', ['id'], {
    id: text,
    token_hash: text,
    subscription_id: text,
    sealed_label: bytes,
    created_at: integer,
    seen_at: integer,
    expires_at: integer,
  })
  await index('account_sessions_token', 'account_sessions', ['token_hash']).unique().execute()
  await index('account_sessions_subscription', 'account_sessions', ['subscription_id', 'seen_at']).execute()
  await index('account_sessions_expires_at', 'account_sessions', ['expires_at']).execute()

  await create(
    'kept_addresses',
    ['address_id'],
    { address_id: text, subscription_id: text, name_key: text, sealed_name: bytes, created_at: integer },
    { sealed_label: bytes, sealed_secret: bytes },
  )
  await index('kept_addresses_subscription', 'kept_addresses', ['subscription_id', 'created_at']).execute()

  await create(
    'own_domains',
    ['subscription_id', 'name'],
    { subscription_id: text, name: text, state: text, created_at: integer, txt_found: integer, mx_found: integer },
    { checked_at: integer, failing_since: integer, catch_all: text },
  )
  await index('own_domains_name', 'own_domains', ['name']).execute()
  // This index makes a second owner impossible, whatever the statements do.
  await index('own_domains_owner', 'own_domains', ['name']).unique().where(owned).execute()
  await db.schema.createIndex('own_domains_checked').on('own_domains').expression(lastChecked).where(owned).execute()

  await db.schema.alterTable('addresses').addColumn('subscription_id', text).execute()
  await db.schema.alterTable('addresses').addColumn('private', integer).execute()
  await db.schema
    .createIndex('addresses_subscription')
    .on('addresses')
    .column('subscription_id')
    .where('subscription_id' as never, 'is not', null)
    .execute()
}
