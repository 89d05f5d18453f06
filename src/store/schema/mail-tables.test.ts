import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Schema } from './schema.ts'

/**
 * What a table holds of messages. `mail`: messages, parts of them, or rows that lead to them. `columns`: only columns that
 * refer to messages, in rows that are about something else.
 */
const HOLDS: Record<keyof Schema, 'mail' | 'columns' | 'nothing'> = {
  names: 'nothing',
  addresses: 'columns',
  messages: 'mail',
  bodies: 'mail',
  tombstones: 'mail',
  deliveries: 'mail',
  push_subscriptions: 'columns',
  health: 'nothing',
  metadata: 'nothing',
  subscriptions: 'nothing',
  payment_sources: 'nothing',
  payments: 'nothing',
  payment_events: 'nothing',
  orders: 'nothing',
  // Only emails that Mayfly itself writes.
  emails: 'nothing',
  sign_in_links: 'nothing',
  account_sessions: 'nothing',
  kept_addresses: 'nothing',
  own_domains: 'nothing',
  api_keys: 'nothing',
  webhooks: 'nothing',
  webhook_deliveries: 'mail',
  forwardings: 'nothing',
  forwarding_bounces: 'nothing',
  forwarding_destinations: 'nothing',
  forwarding_asks: 'nothing',
  forwarding_counts: 'nothing',
  forwarding_jobs: 'mail',
  forwarding_mails: 'mail',
}

const tablesWith = (content: 'mail' | 'columns') =>
  (Object.keys(HOLDS) as (keyof Schema)[]).filter((table) => HOLDS[table] === content).toSorted()

const page = await readFile(new URL('../../../docs/operating/cluster.md', import.meta.url), 'utf8')
const found = (pattern: RegExp) => Array.from(page.matchAll(pattern), ([, table]) => table).toSorted()

test('docs/operating/cluster.md removes everything about messages after a restore', () => {
  const [, list = ''] = /^TRUNCATE ([^;]*);/m.exec(page) ?? []
  expect(list.split(/, ?\n?/).toSorted()).toEqual(tablesWith('mail'))
  expect(found(/^UPDATE (\w+) SET/gm)).toEqual(tablesWith('columns'))
})

test('docs/operating/cluster.md dumps nothing about messages into a backup without messages', () => {
  expect(found(/--exclude-table-data(?:-and-children)?=(\w+)/g)).toEqual(tablesWith('mail'))
})
