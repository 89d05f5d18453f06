import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'
import { tableMaker } from './table-maker.ts'

/** An index to find old payment events, so that they can be removed. */
export async function paymentEventsByTime(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  await tableMaker(db, dialect).index('payment_events_received_at', 'payment_events', ['received_at']).execute()
}
