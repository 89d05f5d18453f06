import { expect, onTestFinished, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { openAccountFixture } from '#test/support/fixtures/account.ts'
import { newEmail, openBillingFixture } from '#test/support/fixtures/billing.ts'

test.each([
  ['owns', true],
  ['only claims', false],
])('the emails say what happens to the domains of a subscriber who %s one', async (_, owns) => {
  const cases = await openAccountFixture()
  onTestFinished(() => cases.close())
  const begin = cases.time.now
  const { id } = await cases.subscribe('ann@example.com', { paidUntil: begin + 15 * DAY })
  const check = { state: owns ? ('verified' as const) : ('pending' as const), checkedAt: begin, failingSince: null }
  const found = { txtFound: owns, mxFound: owns, catchAll: null }
  await cases.store.ownDomains.add({ ...check, ...found, name: 'ann.example', subscriptionId: id, createdAt: begin }, 1)
  for (let day = 0; day <= 16; day++, cases.time.now += DAY) {
    await cases.endings.run()
    await cases.sendEmails()
  }
  const mails = await cases.outbox.all()
  expect(mails).toHaveLength(2)
  for (const { text } of mails) expect((text ?? '').includes('your own domains is refused')).toBe(owns)
})

test.each([
  ['owns', true],
  ['only claims', false],
])('the email about a failed renewal says what happens to the domains of a subscriber who %s one', async (_, owns) => {
  const fixture = await openBillingFixture()
  onTestFinished(() => fixture.close())
  const email = newEmail()
  const { id } = await fixture.buy('month', email)
  const { id: subscriptionId, paidUntil } = (await fixture.subscription(email))!
  const domain = { name: 'ann.example', subscriptionId, createdAt: 0, catchAll: null, failingSince: null }
  const check = { state: owns ? ('verified' as const) : ('pending' as const), txtFound: owns, mxFound: owns }
  await fixture.store.ownDomains.add({ ...domain, ...check, checkedAt: fixture.time.now }, 1)
  await fixture.emails()
  fixture.time.now = paidUntil
  fixture.stripe.failRenewal(id)
  await fixture.deliverEvents('stripe')
  expect(await fixture.emails()).toMatchObject([{ kind: 'renewal-failed', domains: owns }])
})
