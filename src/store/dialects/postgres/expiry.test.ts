import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runSql } from '#test/support/program/postgres.ts'
import { ADDRESS_TABLES } from '../../aggregates/mailbox/address-removal.ts'
import { claimed, newMessage, NOW } from '../../suite/fixtures.ts'
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

test('the statements of docs/operating/cluster.md remove the mail of a restored database', async () => {
  const page = await readFile(new URL('../../../../docs/operating/cluster.md', import.meta.url), 'utf8')
  const [, statements = ''] = /```sql\n(TRUNCATE messages[^`]*)```/.exec(page) ?? []
  const here = await databaseForNodes()
  const { store } = await here.node()
  const { id } = await claimed(store)
  const message = newMessage(id)
  await store.messages.append([message])
  await runSql(here.url, statements)
  expect(await store.messages.find(id, message.id, NOW)).toBeUndefined()
  expect(await store.addresses.find(id, NOW)).toMatchObject({ usedBytes: 0 })
  await here.drop()
})
