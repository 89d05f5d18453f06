import { describe, expect, test } from 'vitest'
import { DAY } from '../time.ts'
import { endsAt, isActive, lapsesAt, paidUntil, type Payment, type PaymentState } from './subscription.ts'

const RULES = { grace: 7 * DAY, notice: 14 * DAY }

let count = 0
function payment(ref: string, paidOn: number, pays: Payment['pays'], state: PaymentState = 'paid'): Payment {
  const total = { amount: 1, currency: 'USD' }
  return { provider: 'stripe', id: `${++count}`, ref, plan: 'month', total, state, paidAt: paidOn * DAY, pays }
}
const span = (paidOn: number, days: number, state?: PaymentState) =>
  payment(`span ${count}`, paidOn, { span: days * DAY }, state)
const period = (paidOn: number, until: number, state?: PaymentState) =>
  payment('card', paidOn, { until: until * DAY }, state)

const other = (paidOn: number, until: number) => payment('other card', paidOn, { until: until * DAY })

function* orders<T>(items: T[]): Generator<T[]> {
  if (items.length < 2) yield items
  for (const [i, item] of items.entries()) for (const rest of orders(items.toSpliced(i, 1))) yield [item, ...rest]
}

describe('the end of the paid time', () => {
  test.each<[string, Payment[], number]>([
    ['nothing', [], 0],
    ['a span', [span(10, 30)], 40],
    ['a second span while the first lasts', [span(10, 30), span(20, 30)], 70],
    ['a second span at its very end', [span(10, 30), span(40, 30)], 70],
    ['a second span after a gap', [span(10, 30), span(50, 30)], 80],
    ['two spans at once', [span(10, 30), span(10, 5)], 45],
    ['a period', [period(10, 40)], 40],
    ['periods', [period(10, 40), period(40, 71), period(71, 101)], 101],
    ['a period that was paid late', [period(10, 40), period(44, 70)], 70],
    ['a longer period instead', [period(10, 40), period(20, 385)], 385],
    ['a period within a span, which continues after it', [span(0, 100), period(10, 40)], 130],
    ['a span within a period', [period(10, 40), span(20, 100)], 140],
    ['periods that continue within a span', [period(10, 40), span(20, 100), period(40, 70), period(70, 100)], 200],
    [
      'periods that are paid a little late and consume nothing of the span',
      [period(10, 40), span(20, 100), period(43, 70)],
      170,
    ],
    [
      'a span that is used up between two cards',
      [period(0, 30), span(10, 30), payment('new', 50, { until: 80 * DAY })],
      90,
    ],
    [
      'a span that is too short for the gap between two cards',
      [period(0, 30), span(10, 10), payment('new', 50, { until: 80 * DAY })],
      80,
    ],
    ['a second card while the first period lasts', [period(0, 30), other(5, 35)], 60],
    ['a second card that renews', [period(0, 30), other(5, 35), other(35, 65), other(65, 95)], 120],
    ['a second card for longer', [period(0, 30), other(0, 365)], 395],
    ['a second card for less, within the first period', [period(0, 365), other(10, 40), other(40, 70)], 425],
    ['three cards', [period(0, 100), other(10, 40), payment('third', 20, { until: 50 * DAY })], 160],
    ['two cards with a gap', [period(0, 30), other(5, 35), payment('third', 50, { until: 80 * DAY })], 90],
    ['two cards and a span', [period(0, 30), other(5, 35), span(10, 10)], 70],
    ['two cards, one of which was refunded', [period(0, 30, 'refunded'), other(5, 35)], 35],
    ['a plan that was changed beside a second card', [period(0, 30), period(10, 375), other(5, 35)], 405],
    ['a refunded span', [span(10, 30, 'refunded'), span(10, 5)], 15],
    ['a disputed period', [period(10, 40), period(40, 70, 'disputed')], 40],
    ['a period after a refunded one', [period(0, 30), period(30, 60, 'refunded'), period(60, 90)], 90],
    ['only refunded payments', [span(10, 30, 'refunded')], 0],
  ])('of %s', (_name, payments, days) => {
    for (const order of orders(payments)) expect(paidUntil(order) / DAY).toBe(days)
  })
})

describe('the end of the benefits', () => {
  const renewing = { paidUntil: 100 * DAY, renews: true, failingSince: null, noticeAt: null }
  const ending = { ...renewing, renews: false }

  test('is the end of the paid time, or seven days later if the subscription renews or its renewal failed', () => {
    expect(endsAt(ending, RULES)).toBe(100 * DAY)
    expect(endsAt(renewing, RULES)).toBe(107 * DAY)
    expect(endsAt({ ...renewing, paidUntil: 0 }, RULES)).toBe(0)
    expect(endsAt({ ...ending, failingSince: 99 * DAY }, RULES)).toBe(107 * DAY)
    for (const [subscription, end] of [
      [ending, 100 * DAY],
      [renewing, 107 * DAY],
    ] as const)
      expect([end - 1, end].map((now) => isActive(subscription, RULES, now))).toEqual([true, false])
  })

  test('is when addresses fall back, but never before the notice is 14 days old', () => {
    expect(lapsesAt(ending, RULES)).toBeUndefined()
    expect(lapsesAt({ ...ending, noticeAt: 80 * DAY }, RULES)).toBe(100 * DAY)
    expect(lapsesAt({ ...ending, noticeAt: 86 * DAY }, RULES)).toBe(100 * DAY)
    expect(lapsesAt({ ...ending, noticeAt: 120 * DAY }, RULES)).toBe(134 * DAY)
    expect(lapsesAt({ ...renewing, noticeAt: 80 * DAY }, RULES)).toBe(107 * DAY)
  })
})
