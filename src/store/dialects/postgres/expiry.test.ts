import { expect, test } from 'vitest'
import { runSql } from '#test/support/program/postgres.ts'
import { ADDRESS_TABLES } from '../../aggregates/mailbox/address-removal.ts'
import { databaseForNodes } from './testing.ts'

test('every table with rows of an address is removed with it, or outlives it on purpose', async () => {
  const here = await databaseForNodes()
  await here.node()
  const rows = await runSql(
    here.url,
    `select table_name from information_schema.columns join pg_class on relname = table_name
      where column_name = 'address_id' and relkind in ('r', 'p') and not relispartition`,
  )
  // These are removed in steps, with their partitions, or by their own rules.
  const others = ['messages', 'bodies', 'forwarding_mails', 'names', 'kept_addresses']
  expect(rows.map(({ table_name: table }) => String(table)).toSorted()).toEqual(
    [...ADDRESS_TABLES, ...others].toSorted(),
  )
  await here.drop()
})
