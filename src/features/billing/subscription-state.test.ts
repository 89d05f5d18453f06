import { expect, test } from 'vitest'
import type { Subscription } from '#core/billing/subscription.ts'
import { DAY } from '#core/time.ts'
import { RULES } from '#test/support/fixtures/account.ts'
import { expectedLapse } from './subscription-state.ts'

test.each<[string, Partial<Subscription>, number | undefined]>([
  ['renews', { renews: true }, undefined],
  ['does not renew', {}, 100],
  ['got its notice late', { noticeAt: 95 * DAY }, 109],
  ['has a failing renewal', { renews: true, failingSince: 50 * DAY }, 107],
  ['missed its renewal', { renews: true, paidUntil: 10 * DAY }, 64],
  ['was refunded', { paidUntil: 0 }, 64],
  ['has lapsed', { lapsed: true, paidUntil: DAY }, undefined],
])('returns the lapse of a subscription that %s', (_what, fields, day) => {
  const subscription: Subscription = {
    id: 'x',
    emailKey: 'x',
    sealedEmail: Buffer.alloc(0),
    language: 'en',
    createdAt: 0,
    plan: 'year',
    paidUntil: 100 * DAY,
    renews: false,
    failingSince: null,
    noticeAt: null,
    lapsed: false,
    confirmed: true,
    revision: 0,
    ...fields,
  }
  expect(expectedLapse(subscription, RULES, 50 * DAY)).toBe(day === undefined ? undefined : day * DAY)
})
