import type { Kysely } from 'kysely'
import type { MigrationDialect } from './dialect.ts'
import { tableMaker } from './table-maker.ts'

/** Failed deliveries, sealed to their address. */
export async function deliveries(db: Kysely<never>, dialect: MigrationDialect): Promise<void> {
  const { bytes, integer, text } = dialect
  const { create, index } = tableMaker(db, dialect)
  await create('deliveries', ['address_id', 'id'], {
    address_id: text,
    id: text,
    expires_at: integer,
    sealed_delivery: bytes,
  })
  await index('deliveries_expires_at', 'deliveries', ['expires_at']).execute()
}
