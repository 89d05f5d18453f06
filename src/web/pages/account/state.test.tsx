import { expect, test } from 'vitest'
import type { AccountJson } from '#contract/account.ts'
import { renderOnPage } from '#test/support/fixtures/page.tsx'
import { State } from './state.tsx'

const at = '2026-03-01T12:00:00Z'
const shown = (state: AccountJson['state'], renews: boolean, dates: Partial<AccountJson> = {}): string => {
  const account = {
    state,
    renews,
    paidUntil: at,
    renewsAt: null,
    endsAt: at,
    lapsesAt: at,
    portal: true,
    ...dates,
  } as AccountJson
  return renderOnPage(<State account={account} paid={false} />, {
    page: 'account',
    lang: 'en',
    path: '/account',
    query: {},
    renderedAt: Date.parse('2026-06-01T12:00:00Z'),
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

test.each([
  [{ renewsAt: '2099-03-01T12:00:00Z' }, 'It renews automatically on March 1, 2099.'],
  [
    { renewsAt: '2026-03-01T12:00:00Z' },
    'The renewal payment is being processed. Premium stays active until March 8, 2099.',
  ],
  // The date of the renewal is not known.
  [{ paidUntil: '2099-03-02T12:00:00Z' }, 'It renews automatically on March 2, 2099.'],
  [
    { paidUntil: '2026-03-02T12:00:00Z' },
    'The renewal payment is being processed. Premium stays active until March 8, 2099.',
  ],
])('a renewal %o: %s', (dates, words) =>
  expect(
    shown('active', true, { endsAt: '2099-03-08T12:00:00Z', ...dates }).replaceAll(/[\u2066-\u2069]/g, ''),
  ).toContain(words),
)
