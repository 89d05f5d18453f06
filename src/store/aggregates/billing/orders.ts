import { NEVER_PAID, type Order, type OrderState, type OrderStore, UNSETTLED } from '#core/billing/order.ts'
import { DAY } from '#core/time.ts'
import type { Database } from '../../database.ts'
import { hasWritten, written } from '../statements.ts'

const COLUMNS = [
  'id',
  'email_key as emailKey',
  'sealed_email as sealedEmail',
  'language',
  'provider',
  'plan',
  'years',
  'amount',
  'currency',
  'state',
  'provider_ref as providerRef',
  'browser_hash as browserHash',
  'session_id as sessionId',
  'created_at as createdAt',
] as const

/** How much longer unsettled orders are kept, so that the operator can settle them. The privacy policy says "a year". */
const LEFT_TO_OPERATOR = 365 * DAY

type SelectedRow = Omit<Order, 'total'> & Order['total']

const toOrder = ({ amount, currency, ...row }: SelectedRow): Order => ({ ...row, total: { amount, currency } })

export function createOrderStore(db: Database): OrderStore {
  const { read, write } = db
  const selected = () => read.selectFrom('orders').select(COLUMNS)
  const forgetIn = (states: readonly OrderState[], before: number, limit: number) =>
    write
      .deleteFrom('orders')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('orders as old')
          .select('old.id')
          .where('old.state', 'in', states)
          .where('old.created_at', '<', before)
          // Later payments of an order may pay for a subscription although the first one differs.
          .$if(states === UNSETTLED, (query) =>
            query.where(({ not, exists, selectFrom }) =>
              not(exists(selectFrom('payment_sources').select('ref').whereRef('order_id', '=', 'old.id'))),
            ),
          )
          .orderBy('old.created_at')
          .limit(limit),
      )
      // The order may have been paid since the subquery read it.
      .where('state', 'in', states)
      .where('created_at', '<', before)

  return {
    async insert(order) {
      await db.batch([
        write
          .insertInto('orders')
          .values({
            id: order.id,
            email_key: order.emailKey,
            sealed_email: order.sealedEmail,
            language: order.language,
            provider: order.provider,
            plan: order.plan,
            years: order.years,
            amount: order.total.amount,
            currency: order.total.currency,
            state: order.state,
            provider_ref: order.providerRef,
            browser_hash: order.browserHash,
            session_id: order.sessionId,
            created_at: order.createdAt,
          })
          .compile(),
      ])
    },

    async find(id) {
      const row = await selected().where('id', '=', id).executeTakeFirst()
      return row && toOrder(row)
    },

    async findByRef(provider, ref) {
      const row = await selected().where('provider', '=', provider).where('provider_ref', '=', ref).executeTakeFirst()
      return row && toOrder(row)
    },

    async ofEmail(emailKey) {
      const rows = await selected().where('email_key', '=', emailKey).orderBy('created_at').orderBy('id').execute()
      return rows.map(toOrder)
    },

    setRef: (id, ref) =>
      hasWritten(
        db,
        write.updateTable('orders').set({ provider_ref: ref }).where('id', '=', id).where('state', '=', 'open'),
      ),

    setState: (id, state, from) =>
      hasWritten(
        db,
        write
          .updateTable('orders')
          .set({ state })
          .where('id', '=', id)
          .where(db.isAmong('state', JSON.stringify(from))),
      ),

    async since(createdAt, limit, after) {
      let query = selected().where('created_at', '>=', createdAt)
      if (after !== undefined) {
        query = query.where(({ eb, selectFrom }) => {
          const from = selectFrom('orders as last').select('last.created_at').where('last.id', '=', after)
          return eb.or([eb('created_at', '>', from), eb.and([eb('created_at', '=', from), eb('id', '>', after)])])
        })
      }
      return (await query.orderBy('created_at').orderBy('id').limit(limit).execute()).map(toOrder)
    },

    async forget(before, limit) {
      const unpaid = await written(db, forgetIn(NEVER_PAID, before, limit))
      if (unpaid >= limit) return unpaid
      return unpaid + (await written(db, forgetIn(UNSETTLED, before - LEFT_TO_OPERATOR, limit - unpaid)))
    },
  }
}
