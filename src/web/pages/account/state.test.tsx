import { expect, test } from 'vitest'
import type { AccountJson } from '#contract/account.ts'
import { renderOnPage } from '#test/support/fixtures/page.tsx'
import { State } from './state.tsx'

const at = '2026-03-01T12:00:00Z'
const shown = (state: AccountJson['state'], renews: boolean): string => {
  const account = {
    state,
    renews,
    paidUntil: at,
    renewsAt: null,
    endsAt: at,
    lapsesAt: at,
    portal: true,
  } as AccountJson
  return renderOnPage(<State account={account} paid={false} />, {
    page: 'account',
    lang: 'en',
    path: '/account',
    query: {},
  })
}

test.each([
  ['active', true, false],
  ['failing', true, false],
  ['ending', false, true],
  ['ended', false, true],
  ['lapsed', false, true],
  // A refund or a dispute does not stop the renewal.
  ['ended', true, true],
  ['lapsed', true, true],
] as const)('%s, with a renewal (%s): offers Premium %s', (state, renews, offers) =>
  expect(shown(state, renews).includes('href="/en/premium"')).toBe(offers),
)
