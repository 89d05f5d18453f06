import { expect, test } from 'vitest'
import type { AccountTab, PagePayload } from '#contract/pages.ts'
import { LIMITS } from '#test/support/fixtures/limits.ts'
import { ENGLISH } from '#test/support/fixtures/page.tsx'
import { languageOf, textOf } from '../i18n/text.tsx'
import { headOf } from './head.ts'

const text = textOf(ENGLISH, languageOf('en'), LIMITS)
const account = (tab: AccountTab) => ({ page: 'account', data: { tab } }) as PagePayload

test.each([
  ['addresses', 'Account · Mayfly'],
  ['domains', 'Domains · Account · Mayfly'],
  ['developer', 'Developer · Account · Mayfly'],
  ['billing', 'Billing · Account · Mayfly'],
] as const)('the tab %s of the account has a title of its own', (tab, title) =>
  expect(headOf(account(tab), text).title).toBe(title),
)

test('the other pages of a visitor have no tab in their title', () =>
  expect(headOf({ page: 'private', data: {} } as PagePayload, text).title).toBe('Fully private address · Mayfly'))
