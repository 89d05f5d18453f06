import { describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { checkOut, newOrder, NOW, PAGES, toList } from '../testing.ts'
import { bought, fake, fixture, ordered, useStripe } from './testing.ts'

useStripe()

describe('the subscription', () => {
  test('opens the portal of the customer', async () => {
    const { stripe, subscription } = await bought()
    const url = await stripe.portal?.(String(subscription.customer), PAGES.backUrl, 'de')
    expect(url).toBe(`${fake.url}/portal/${subscription.customer}?back=${encodeURIComponent(PAGES.backUrl)}`)
    expect(fake.calls.at(-1)?.body).toContain('locale=de')
  })

  test('is canceled at once, also while an invoice is open, and only once', async () => {
    const { stripe, read, subscription } = await bought()
    fake.failRenewal(subscription.id)
    fake.cancelAtPeriodEnd(subscription.id)
    const { ref } = (await read())!.source!
    await stripe.cancel?.(ref)
    expect((await read())?.source).toMatchObject({ renews: false, failingSince: null })
    expect(() => fake.payOpen(subscription.id)).toThrow('no longer collected')
    for (const other of [ref, 'subscription:sub_none', 'session:cs_none', (await ordered()).ref])
      await stripe.cancel?.(other)
    expect(fake.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    // A debit that failed is repeated.
    const debit = await ordered()
    fake.payLater(debit.session.id)
    fake.arrive(debit.session.id, false)
    await stripe.cancel?.(debit.ref)
    expect(fake.subscriptionOf(debit.order.id).status).toBe('canceled')
  })

  test('expires an open checkout, and leaves others unchanged', async () => {
    const order = newOrder()
    const stripe = (await bought()).stripe
    const { ref } = await checkOut(stripe, fixture.orders, order)
    await stripe.expire?.(ref)
    expect(await stripe.read(ref)).toMatchObject({ state: 'expired' })
    for (const over of [ref, `session:${(await bought()).session.id}`, 'session:cs_none']) await stripe.expire?.(over)
    expect(fake.calls.filter(({ path }) => path.endsWith('/expire'))).toHaveLength(1)
  })
})

describe('the subjects since a time', () => {
  test('are yielded once and can be read back', async () => {
    const old = await bought()
    fixture.time.now += DAY
    const { subscription, invoice, session, stripe } = await bought()
    fake.refund(invoice.id, 1)
    fake.refund(invoice.id)
    fake.pageMax = 1
    const subjects = await toList(stripe.subjectsSince(NOW + 1000))
    expect(subjects.toSorted()).toEqual(
      [`invoice:${invoice.id}`, `session:${session.id}`, `charge:${[...fake.books.charges.keys()].at(-1)}`].toSorted(),
    )
    for (const subject of subjects)
      expect((await stripe.read(subject))?.source?.ref).toBe(`subscription:${subscription.id}`)
    const all = await toList(stripe.subjectsSince(0))
    for (const { id } of [old.subscription, subscription]) expect(all).toContain(`subscription:${id}`)
  })
})
