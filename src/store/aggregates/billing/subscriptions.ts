import type { Subscription, SubscriptionChange, SubscriptionStore } from '#core/billing/subscription.ts'
import type { NewEmail } from '#core/email/email.ts'
import type { Database } from '../../database.ts'
import { type Bit, fromBit, toBit } from '../../schema/bit.ts'
import { toEmailRow } from '../email/emails.ts'
import { deleteOldest } from '../oldest.ts'
import { hasWritten, written } from '../statements.ts'
import { createLedger } from './ledger.ts'
import { createSubscriptionRow, newTransactionName, type Writing } from './subscription-row.ts'

const COLUMNS = [
  'subscriptions.id',
  'subscriptions.email_key as emailKey',
  'subscriptions.sealed_email as sealedEmail',
  'subscriptions.language',
  'subscriptions.created_at as createdAt',
  'subscriptions.plan',
  'subscriptions.paid_until as paidUntil',
  'subscriptions.renews',
  'subscriptions.failing_since as failingSince',
  'subscriptions.notice_at as noticeAt',
  'subscriptions.lapsed',
  'subscriptions.confirmed',
  'subscriptions.revision',
] as const

type Flag = 'renews' | 'lapsed' | 'confirmed'
type SelectedRow = Omit<Subscription, Flag> & Record<Flag, Bit>

const toSubscription = (row: SelectedRow): Subscription => ({
  ...row,
  renews: fromBit(row.renews),
  lapsed: fromBit(row.lapsed),
  confirmed: fromBit(row.confirmed),
})

/** Returns the columns of the fields that a change contains. */
const toColumns = ({ language, plan, paidUntil, renews, failingSince, noticeAt, lapsed }: SubscriptionChange) => ({
  ...(language !== undefined && { language }),
  ...(plan !== undefined && { plan }),
  ...(paidUntil !== undefined && { paid_until: paidUntil }),
  ...(renews !== undefined && { renews: toBit(renews) }),
  ...(failingSince !== undefined && { failing_since: failingSince }),
  ...(noticeAt !== undefined && { notice_at: noticeAt }),
  ...(lapsed !== undefined && { lapsed: toBit(lapsed) }),
})

export function createSubscriptionStore(db: Database): SubscriptionStore {
  const { read, write } = db
  const { touch, insertInto } = createSubscriptionRow(db)
  const ledger = createLedger(db)
  const selected = () => read.selectFrom('subscriptions').select(COLUMNS)

  const changed = ({ id, transaction }: Writing, revision: number, change: SubscriptionChange) =>
    write
      .updateTable('subscriptions')
      .set((eb) => ({ ...toColumns(change), revision: eb('revision', '+', 1), changed_by: transaction }))
      .where('id', '=', id)
      .where('revision', '=', revision)

  const queued = (emails: readonly NewEmail[], writing: Writing) =>
    emails.map((email) =>
      insertInto('emails', toEmailRow(email), writing)
        .onConflict((conflict) => conflict.doNothing())
        .compile(),
    )

  return {
    ...ledger.reading,

    async ensure(subscription) {
      const { id, emailKey, sealedEmail, createdAt, revision } = subscription
      const [, { rows }] = await db.batch([
        write
          .insertInto('subscriptions')
          .values({
            ...toColumns(subscription),
            id,
            email_key: emailKey,
            sealed_email: sealedEmail,
            language: subscription.language,
            created_at: createdAt,
            paid_until: subscription.paidUntil,
            renews: toBit(subscription.renews),
            lapsed: toBit(subscription.lapsed),
            confirmed: toBit(subscription.confirmed),
            revision,
            changed_by: newTransactionName(),
          })
          .onConflict((conflict) => conflict.column('email_key').doNothing())
          .compile(),
        write.selectFrom('subscriptions').select(COLUMNS).where('email_key', '=', emailKey).compile(),
      ])
      const [row] = rows
      if (!row) throw new Error('A subscription was removed while it was created')
      return toSubscription(row)
    },

    async find(id) {
      const row = await selected().where('id', '=', id).executeTakeFirst()
      return row && toSubscription(row)
    },

    async findByEmail(emailKey) {
      const row = await selected().where('email_key', '=', emailKey).executeTakeFirst()
      return row && toSubscription(row)
    },

    async ofSource(provider, ref) {
      const row = await selected()
        .innerJoin('payment_sources', 'payment_sources.subscription_id', 'subscriptions.id')
        .where('payment_sources.provider', '=', provider)
        .where('payment_sources.ref', '=', ref)
        .executeTakeFirst()
      return row && toSubscription(row)
    },

    async settle({ subscriptionId, revision, event, source, payments, order, change, emails }) {
      const writing = { id: subscriptionId, transaction: newTransactionName() }
      let first = changed(writing, revision, change)
      if (event) first = first.where(({ not, exists }) => not(exists(ledger.seen(event.provider, event.id))))
      const results = await db.batch([
        first.compile(),
        ...ledger.record({ event, source, payments, order }, writing),
        ...queued(emails, writing),
      ])
      if ((results[0]?.affected ?? 0) > 0) return 'settled'
      return event && (await ledger.seen(event.provider, event.id).executeTakeFirst()) ? 'duplicate' : 'conflict'
    },

    forgetEvents: (before, limit) =>
      written(
        db,
        deleteOldest(db, 'payment_events', { key: ['provider', 'id'], where: ['received_at', '<', before], limit }),
      ),

    setEmail: (id, { emailKey, sealedEmail }) =>
      hasWritten(
        db,
        write
          .updateTable('subscriptions')
          .set({ email_key: emailKey, sealed_email: sealedEmail, changed_by: newTransactionName() })
          .where('id', '=', id)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('subscriptions as other')
                  .select('other.id')
                  .where('other.email_key', '=', emailKey)
                  .where('other.id', '!=', id),
              ),
            ),
          ),
      ),

    async change(id, revision, change, emails = []) {
      const writing = { id, transaction: newTransactionName() }
      const results = await db.batch([changed(writing, revision, change).compile(), ...queued(emails, writing)])
      return (results[0]?.affected ?? 0) > 0
    },

    async ending(before, limit, after) {
      const behind = after ?? { id: '', paidUntil: 0 }
      const rows = await selected()
        .where(({ eb, or, and }) =>
          or([
            eb('paid_until', '>', behind.paidUntil),
            and([eb('paid_until', '=', behind.paidUntil), eb('subscriptions.id', '>', behind.id)]),
          ]),
        )
        .where('lapsed', '=', 0)
        .where('paid_until', '<', before)
        // Without any payment nothing ends. With only refunded payments, the paid time has already ended.
        .where(({ eb, or, exists, selectFrom }) =>
          or([
            eb('paid_until', '>', 0),
            exists(
              selectFrom('payments')
                .select('payments.id')
                .whereRef('payments.subscription_id', '=', 'subscriptions.id'),
            ),
          ]),
        )
        .orderBy('paid_until')
        .orderBy('subscriptions.id')
        .limit(limit)
        .execute()
      return rows.map(toSubscription)
    },

    async list(limit, after = '') {
      const rows = await selected().where('id', '>', after).orderBy('id').limit(limit).execute()
      return rows.map(toSubscription)
    },

    async count(now) {
      const all = read.selectFrom('subscriptions').select(({ fn }) => fn.countAll<number>().as('count'))
      const [{ rows }, paid] = await db.snapshot([all.compile(), all.where('paid_until', '>', now).compile()])
      return { all: rows[0]?.count ?? 0, paid: paid.rows[0]?.count ?? 0 }
    },

    async remove(id) {
      const hanging = (
        [
          'sign_in_links',
          'account_sessions',
          'kept_addresses',
          'own_domains',
          'api_keys',
          'webhooks',
          'payment_sources',
        ] as const
      ).map((table) => write.deleteFrom(table).where('subscription_id', '=', id).compile())
      const [, { rows: orders }] = await db.batch([
        touch({ id, transaction: newTransactionName() }),
        write
          .deleteFrom('orders')
          .where('email_key', 'in', (eb) => eb.selectFrom('subscriptions').select('email_key').where('id', '=', id))
          .returning(['state', 'provider', 'provider_ref as ref'])
          .compile(),
        // Writes the row of a webhook before those of its deliveries (webhooks.ts).
        write.updateTable('webhooks').set({ is_off: 1 }).where('subscription_id', '=', id).compile(),
        write
          .deleteFrom('webhook_deliveries')
          .where('webhook_id', 'in', (eb) =>
            eb.selectFrom('webhooks').select('webhooks.id').where('subscription_id', '=', id),
          )
          .compile(),
        ...hanging,
        write.updateTable('payments').set({ subscription_id: null }).where('subscription_id', '=', id).compile(),
        write.deleteFrom('subscriptions').where('id', '=', id).compile(),
      ])
      return orders.flatMap(({ state, provider, ref }) => (state === 'open' && ref !== null ? [{ provider, ref }] : []))
    },
  }
}
