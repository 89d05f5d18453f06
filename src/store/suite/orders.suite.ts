import { describe, expect, test } from 'vitest'
import { ORDER_STATES } from '#core/billing/order.ts'
import type { Store } from '#core/store.ts'
import { DAY } from '#core/time.ts'
import { key, NOW } from './fixtures.ts'
import { newOrder, newSettlement, newSource, subscribed } from './premium-fixtures.ts'

export function ordersContract(current: () => Store): void {
  const orders = () => current().orders

  describe('orders', () => {
    test('finds an order by its id and by its provider reference', async () => {
      const order = newOrder({ plan: 'crypto', provider: 'btcpay', years: 3 })
      await orders().insert(order)
      await orders().insert(newOrder())
      expect(await orders().find(order.id)).toEqual(order)
      expect(await orders().find(key())).toBeUndefined()
      expect(await orders().findByRef('btcpay', 'invoice')).toBeUndefined()
      expect(await orders().setRef(order.id, 'invoice')).toBe(true)
      expect(await orders().findByRef('btcpay', 'invoice')).toEqual({ ...order, providerRef: 'invoice' })
      expect(await orders().findByRef('stripe', 'invoice')).toBeUndefined()
    })

    test('stores the reference of a checkout only for an order that is open', async () => {
      const order = newOrder({ state: 'expired' })
      await orders().insert(order)
      expect(await orders().setRef(order.id, 'late')).toBe(false)
      expect(await orders().setRef(key(), 'late')).toBe(false)
      expect(await orders().find(order.id)).toEqual(order)
    })

    test('changes a state only from the given states, and once under concurrency', async () => {
      const { id } = newOrder()
      await orders().insert(newOrder({ id }))
      expect(await orders().setState(id, 'paid', ['pending', 'declined'])).toBe(false)
      expect(await orders().setState(id, 'paid', [])).toBe(false)
      expect(await orders().setState(key(), 'paid', ORDER_STATES)).toBe(false)
      expect((await orders().find(id))?.state).toBe('open')
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => orders().setState(id, 'expired', ['pending', 'open'])),
      )
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect((await orders().find(id))?.state).toBe('expired')
    })

    test('lists orders since a time in batches, oldest first', async () => {
      const created = [0, 1, 1, 1, 2, 3].map((hours) => newOrder({ createdAt: NOW + hours }))
      for (const order of created.toReversed()) await orders().insert(order)
      const expected = created
        .filter(({ createdAt }) => createdAt > NOW)
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      const pages = []
      for (let after: string | undefined; ;) {
        const page = await orders().since(NOW + 1, 2, after)
        pages.push(...page)
        after = page.at(-1)?.id
        if (page.length < 2) break
      }
      expect(pages).toEqual(expected)
    })

    test('finds the orders of an email address, oldest first', async () => {
      const emailKey = key()
      const created = [2, 1].map((hours) => newOrder({ emailKey, createdAt: NOW + hours }))
      for (const order of [...created, newOrder()]) await orders().insert(order)
      expect(await orders().ofEmail(emailKey)).toEqual(created.toReversed())
      expect(await orders().ofEmail(key())).toEqual([])
    })

    test('removes old unpaid orders, up to a limit', async () => {
      const created = ORDER_STATES.map((state, i) => newOrder({ state, createdAt: NOW - i - 1 }))
      for (const order of [...created, newOrder({ createdAt: NOW })]) await orders().insert(order)
      expect(await orders().forget(NOW - DAY, 10)).toBe(0)
      expect(await orders().forget(NOW, 2)).toBe(2)
      expect(await orders().forget(NOW, 2)).toBe(1)
      expect(await orders().forget(NOW, 2)).toBe(0)
      const left = await orders().since(0, 100)
      expect(left.map(({ state }) => state).toSorted()).toEqual([
        'disputed',
        'mismatch',
        'open',
        'paid',
        'pending',
        'refunded',
        'underpaid',
      ])
    })

    test('removes orders that were paid in another way than ordered a year later, unless a subscription has them', async () => {
      const year = 365 * DAY
      for (const createdAt of [NOW - year, NOW - year - 1])
        for (const state of ORDER_STATES) await orders().insert(newOrder({ state, createdAt }))
      const kept = newOrder({ state: 'mismatch', createdAt: NOW - 10 * year })
      await orders().insert(kept)
      const subscription = await subscribed(current())
      const source = newSource({ orderId: kept.id })
      await current().subscriptions.settle(newSettlement(subscription, { source }))
      expect(await orders().forget(NOW - 2 * year, 100)).toBe(0)
      // Six orders were never paid. Of the unsettled ones, three are old enough.
      expect([await orders().forget(NOW, 8), await orders().forget(NOW, 8)]).toEqual([8, 1])
      expect(await orders().forget(NOW, 8)).toBe(0)
      const left = (await orders().since(0, 100)).map(({ state, createdAt }) => `${state} ${createdAt - NOW + year}`)
      const paid = ['disputed -1', 'disputed 0', 'paid -1', 'paid 0', 'refunded -1', 'refunded 0']
      const unsettled = ['mismatch 0', 'pending 0', 'underpaid 0']
      expect(left.toSorted()).toEqual([...paid, ...unsettled, `mismatch ${-9 * year}`].toSorted())
    })
  })
}
