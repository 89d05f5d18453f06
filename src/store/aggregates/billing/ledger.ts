import type { CompiledQuery } from 'kysely'
import type { ProviderName } from '#core/billing/provider.ts'
import type { Payment, PaymentSource, Settlement, SubscriptionStore } from '#core/billing/subscription.ts'
import type { Database } from '../../database.ts'
import { type Bit, fromBit, toBit } from '../../schema/bit.ts'
import { createSubscriptionRow, type Writing } from './subscription-row.ts'

const SOURCE_COLUMNS = [
  'provider',
  'ref',
  'order_id as orderId',
  'customer',
  'plan',
  'renews',
  'failing_since as failingSince',
] as const

const PAYMENT_COLUMNS = [
  'provider',
  'id',
  'ref',
  'plan',
  'amount',
  'currency',
  'state',
  'paid_at as paidAt',
  'pays_span as span',
  'pays_until as until',
] as const

type SelectedSource = Omit<PaymentSource, 'renews'> & { renews: Bit }
type SelectedPayment = Omit<Payment, 'total' | 'pays'> &
  Payment['total'] & { span: number | null; until: number | null }

const toSource = (row: SelectedSource): PaymentSource => ({ ...row, renews: fromBit(row.renews) })

const toPayment = ({ amount, currency, span, until, ...row }: SelectedPayment): Payment => ({
  ...row,
  total: { amount, currency },
  pays: span === null ? { until: until ?? 0 } : { span },
})

type Reading = Pick<SubscriptionStore, 'sources' | 'payments' | 'paidBy' | 'hasPayment'>

/** The payments, their sources and the settled events. */
export function createLedger({ read, write }: Pick<Database, 'read' | 'write'>) {
  const { insertInto, isHeld } = createSubscriptionRow({ write })

  const seen = (provider: ProviderName, id: string) =>
    read.selectFrom('payment_events').select('id').where('provider', '=', provider).where('id', '=', id)

  const reading: Reading = {
    async sources(id) {
      const query = read.selectFrom('payment_sources').select(SOURCE_COLUMNS).where('subscription_id', '=', id)
      return (await query.orderBy('provider').orderBy('ref').execute()).map(toSource)
    },
    async payments(id) {
      const query = read.selectFrom('payments').select(PAYMENT_COLUMNS).where('subscription_id', '=', id)
      return (await query.orderBy('paid_at').orderBy('id').execute()).map(toPayment)
    },
    async paidBy(provider, limit) {
      const rows = await read
        .selectFrom('payments')
        .select('subscription_id as id')
        .distinct()
        .where('provider', '=', provider)
        .where('state', '=', 'paid')
        .where('subscription_id', 'is not', null)
        .limit(limit)
        .execute()
      return rows.flatMap(({ id }) => id ?? [])
    },
    async hasPayment(provider, id) {
      const query = read.selectFrom('payments').select('id').where('provider', '=', provider).where('id', '=', id)
      return (await query.executeTakeFirst()) !== undefined
    },
  }

  function putSource({ provider, ref, ...source }: PaymentSource, writing: Writing): CompiledQuery<unknown> {
    const values = {
      subscription_id: writing.id,
      order_id: source.orderId,
      customer: source.customer,
      plan: source.plan,
      renews: toBit(source.renews),
      failing_since: source.failingSince,
    }
    return insertInto('payment_sources', { provider, ref, ...values }, writing)
      .onConflict((conflict) => conflict.columns(['provider', 'ref']).doUpdateSet(values))
      .compile()
  }

  const putPayment = ({ provider, id, ref, plan, total, state, paidAt, pays }: Payment, writing: Writing) =>
    insertInto(
      'payments',
      {
        provider,
        id,
        ref,
        subscription_id: writing.id,
        plan,
        ...total,
        state,
        paid_at: paidAt,
        pays_span: 'span' in pays ? pays.span : null,
        pays_until: 'until' in pays ? pays.until : null,
      },
      writing,
    ).compile()

  /** Returns the statements that store a settlement, for the transaction that holds the subscription's row. */
  function record(
    { event, source, payments, order }: Pick<Settlement, 'event' | 'source' | 'payments' | 'order'>,
    writing: Writing,
  ): CompiledQuery<unknown>[] {
    const events = event && [
      insertInto(
        'payment_events',
        { provider: event.provider, id: event.id, received_at: event.receivedAt },
        writing,
      ).compile(),
    ]
    const orders = order && [
      write
        .updateTable('orders')
        .set({ state: order.state })
        .where('id', '=', order.id)
        .where(isHeld(writing))
        .compile(),
    ]
    return [
      ...(events ?? []),
      putSource(source, writing),
      write
        .deleteFrom('payments')
        .where('provider', '=', source.provider)
        .where('ref', '=', source.ref)
        .where(isHeld(writing))
        .compile(),
      ...payments.map((payment) => putPayment(payment, writing)),
      ...(orders ?? []),
    ]
  }

  return { reading, seen, record }
}
