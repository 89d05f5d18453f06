import { expect, test } from 'vitest'
import type { PlansJson, PremiumData } from '#contract/pages.ts'
import { renderOnPage } from '#test/support/fixtures/page.tsx'
import { PlanForm } from './plan-form.tsx'

const PLANS: PlansJson = {
  sold: ['month', 'year', 'crypto'],
  sandbox: false,
  tax: { percent: 0, added: false },
  currency: 'USD',
  month: 900,
  year: 8600,
  cryptoYear: 8650,
  cryptoYearsMax: 3,
  addresses: 10,
  storageBytes: 1024 ** 3,
  messageBytes: 25 * 1024 ** 2,
}

/** The text of the form with English messages and numbers in the format of `lang`. */
function words(plans: Partial<PlansJson> = {}, lang = 'en', account: PremiumData['account'] = null): string {
  const payload = { page: 'text', lang, path: '/', query: {}, site: { account: null } }
  return renderOnPage(<PlanForm plans={{ ...PLANS, ...plans }} account={account} />, payload)
    .replaceAll(/<!-- -->|<[^>]*>/g, ' ')
    .replaceAll(/[\u2066\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')
}

test('shows prices, benefits and the saving of a yearly plan', () => {
  const text = words()
  for (const part of [
    '10 addresses at the same time',
    '1 GB of storage',
    '1 month $9 a month',
    '1 year Save 20% $86 a year',
    '$7.17 a month, billed yearly',
  ])
    expect(text).toContain(part)
  expect(text).toContain('Crypto $86.50 a year')
  expect(text).toContain('1 year: $86.50 2 years: $173 3 years: $259.50')
})

test('formats prices in the language, also in currencies without cents', () => {
  expect(words({}, 'de')).toContain('9 $ a month')
  expect(words({}, 'de')).toContain('7,17 $ a month, billed yearly')
  expect(words({ currency: 'ISK' })).toContain('ISK 8 a month, billed yearly')
  expect(words({ currency: 'HUF' })).toContain('HUF 7.17 a month, billed yearly')
  expect(words({ currency: 'JPY' }, 'ja')).toContain('￥717 a month, billed yearly')
  expect(words({}, 'de')).toContain('Save 20 %')
  expect(words({ currency: 'JPY' }, 'ja')).toContain('￥900 a month')
})

test.each([
  [10_800, undefined],
  [10_700, undefined],
  [10_692, 'Save 1%'],
  [12_000, undefined],
])('a year of %i cents: %s', (year, label) => {
  const text = words({ year })
  if (label === undefined) expect(text).not.toContain('Save')
  else expect(text).toContain(label)
})

test('asks for the email address only if nobody is signed in', () => {
  expect(words()).toContain('Your real email')
  const own = words({}, 'en', { id: 'ann', email: 'ann@example.com', paidUntil: null })
  expect(own).toContain('ann@example.com')
  expect(own).not.toContain('Your real email')
})

test('says that a new period starts with the payment, or is added to what is paid', () => {
  const account = { id: 'ann', email: 'ann@example.com', paidUntil: null }
  for (const text of [words(), words({}, 'en', account)])
    expect(text).toContain('Premium starts as soon as your payment is confirmed.')
  const paid = words({}, 'en', { ...account, paidUntil: '2027-11-28T09:00:00.000Z' })
  expect(paid).toContain('Premium is paid until November 28, 2027. The new period will be added to it.')
  expect(paid).not.toContain('as soon as')
})
