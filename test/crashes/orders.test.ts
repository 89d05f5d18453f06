import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plan } from '#core/billing/plan.ts'
import { paidUntil } from '#core/billing/subscription.ts'
import { DAY } from '#core/time.ts'
import { type FakeBtcpay, startFakeBtcpay } from '#test/support/fakes/btcpay.ts'
import { type FakeStripe, startFakeStripe } from '#test/support/fakes/stripe.ts'
import { cardBooks, cardScenarios, coinBooks, coinScenarios, type Step } from '#test/support/fixtures/buyers.ts'
import { siteClient, withStore } from '#test/support/fixtures/subscriber.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

/** Enough for every fate. */
const ORDERS = 100
/** Fewer email addresses than orders: each has several orders, by card and in crypto, that are paid at the same time. */
const EMAILS = 11
/** Card orders of every ten. */
const CARDS = 2
const AT_ONCE = 16
/** The share of events that are also sent with a wrong key. */
const FORGED = 0.25
/** How many orders one buyer pays at the same time, at the end of the test. */
const LAST = 12
/** Orders after which the program is killed. */
const KILLS = [30, 70]

let stripe: FakeStripe
let btcpay: FakeBtcpay
let dataDir: string
let program: Program
/** Resolves while the program runs. */
let up: Promise<unknown>

const start = async (): Promise<void> => {
  program = await startProgram({ dataDir, env: { ...WITHOUT_LIMITS, ...stripe.env, ...btcpay.env } })
}
beforeAll(async () => {
  ;[stripe, btcpay] = await Promise.all([startFakeStripe(), startFakeBtcpay()])
  dataDir = await mkdtemp(join(tmpdir(), 'mayfly-orders-'))
  await start()
})
afterAll(async () => {
  await program.stop()
  await Promise.all([stripe.close(), btcpay.close()])
  await rm(dataDir, { recursive: true })
})

/** Resolves with false if the task must be retried. */
type Task = () => Promise<boolean | void>
const tasks: Task[] = []
const seen = { delivered: 0, retried: 0, forged: 0, taken: 0, killed: 0 }

/** Works on all tasks in random order, many at once. Failed tasks are retried when the program runs again. */
async function workThrough(): Promise<void> {
  let busy = 0
  const worker = async (): Promise<void> => {
    while (tasks.length > 0 || busy > 0) {
      const [task] = tasks.splice(Math.floor(Math.random() * tasks.length), 1)
      if (!task) {
        await new Promise(setImmediate)
        continue
      }
      busy++
      const done = await task().catch(() => false)
      if (done === false) {
        tasks.push(task)
        seen.retried++
        await up
      }
      busy--
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const post = async (sender: string, body: string, headers: Record<string, string>): Promise<number> => {
  const response = await fetch(`${program.url}/webhooks/${sender}`, { method: 'POST', body, headers })
  await response.body?.cancel()
  return response.status
}

/** Sends an event once or twice, each until it is accepted, and once with a wrong key. */
function deliver(sender: 'stripe' | 'btcpay', body: string): void {
  const fake = { stripe, btcpay }[sender]
  const send: Task = async () => {
    const status = await post(sender, body, fake.sign(body))
    if (status === 200) seen.delivered++
    return status === 200
  }
  for (let copies = 1 + Math.floor(Math.random() * 2); copies > 0; copies--) tasks.push(send)
  if (Math.random() < FORGED)
    tasks.push(async () => {
      const forged = sender === 'stripe' ? stripe.sign(body, { secret: 'whsec_x' }) : btcpay.sign(body, 'x')
      const status = await post(sender, body, forged)
      if (status === 400) seen.forged++
      else seen.taken++
    })
}

/** Returns the events of the providers since the last call. */
const sent = { stripe: 0, btcpay: 0 }
function deliverNews(): void {
  for (const event of stripe.events.slice(sent.stripe)) deliver('stripe', JSON.stringify(event))
  for (const event of btcpay.events.slice(sent.btcpay)) deliver('btcpay', JSON.stringify(event))
  sent.stripe = stripe.events.length
  sent.btcpay = btcpay.events.length
}

const isPaid = async (orderId: string): Promise<boolean> =>
  (await siteClient(program).json(`/api/v1/orders/${orderId}`)).state === 'paid'

function take([step, ...more]: Step[], orderId: string): void {
  if (!step) return
  tasks.push(async () => {
    if (step.afterPaid && !(await isPaid(orderId))) return false
    step.act(orderId)
    deliverNews()
    take(more, orderId)
  })
}

const emailOf = new Map<string, string>()
function buy(i: number, scenarios: { card: Step[][]; coins: Step[][] }): Task {
  const byCard = i % 10 < CARDS
  const plan: Plan = byCard ? (i % 2 ? 'month' : 'year') : 'crypto'
  const round = Math.floor(i / 10)
  const fate = byCard
    ? scenarios.card[(round * CARDS + (i % 10)) % scenarios.card.length]
    : scenarios.coins[i % scenarios.coins.length]
  const form = { plan, email: `buyer${i % EMAILS}@example.org`, lang: 'en', ...(byCard ? {} : { years: 1 + (i % 3) }) }
  return async () => {
    const response = await siteClient(program).send('POST', '/api/v1/orders', form)
    if (response.status !== 201) return false
    const { id } = (await response.json()) as { id: string }
    emailOf.set(id, form.email)
    take(fate ?? [], id)
    if (!KILLS.includes(emailOf.size)) return true
    const dead = program.stop('SIGKILL')
    up = dead.then(start)
    seen.killed++
    return true
  }
}

/**
 * Pays several orders of one buyer at the same time. Each order gets only one event, so a payment that is lost stays lost.
 */
async function payAtOnce(email: string): Promise<void> {
  for (let i = 0; i < LAST; i++) {
    const form = { plan: 'crypto', email, lang: 'en', years: 1 }
    const { id } = (await (await siteClient(program).send('POST', '/api/v1/orders', form)).json()) as { id: string }
    emailOf.set(id, email)
    const invoice = btcpay.invoiceOf(id)
    btcpay.receive(invoice.id, Number(invoice.amount))
    btcpay.confirm(invoice.id)
  }
  const news = new Map(btcpay.events.slice(sent.btcpay).map((event) => [event.invoiceId, JSON.stringify(event)]))
  const answers = await Promise.all([...news.values()].map((body) => post('btcpay', body, btcpay.sign(body))))
  expect(answers).toEqual(Array<number>(LAST).fill(200))
}

test('grants exactly what was paid for many orders, despite duplicate, reordered and forged events and kills', async () => {
  const scenarios = { card: cardScenarios(stripe), coins: coinScenarios(btcpay) }
  up = Promise.resolve()
  for (let i = 0; i < ORDERS; i++) tasks.push(buy(i, scenarios))
  await workThrough()
  expect(emailOf.size).toBe(ORDERS)
  expect(seen.killed).toBe(KILLS.length)
  expect(seen.forged).toBeGreaterThan(20)
  expect(seen.taken).toBe(0)
  expect(seen.retried).toBeGreaterThan(0)
  await payAtOnce('buyer0@example.org')
  await program.stop()

  const booked = new Map([...cardBooks(stripe), ...coinBooks(btcpay)])
  const byEmail = Map.groupBy(booked.values(), ({ orderId }) => emailOf.get(orderId) ?? '')
  const ledger = await withStore(program, async ({ subscriptions }, wrap) => {
    const rows = []
    for (const each of await subscriptions.list(ORDERS))
      rows.push({
        ...each,
        email: wrap.unwrap('email', each.sealedEmail, each.emailKey),
        payments: await subscriptions.payments(each.id),
      })
    return rows
  })
  expect(ledger.map(({ email }) => email).toSorted()).toEqual([...byEmail.keys()].toSorted())
  const kept = ledger.flatMap(({ email, payments }) => payments.map((payment) => ({ email, ...payment })))
  expect(kept.map(({ id }) => id).toSorted()).toEqual([...booked.keys()].toSorted())
  for (const { email, id, state, total, paidAt, pays } of kept) {
    const { orderId, ...book } = booked.get(id)!
    const expected = 'until' in book.pays ? book.pays : { span: calendarYears(book.paidAt, book.pays.years) }
    expect({ email, state, amount: total.amount, paidAt, pays }).toEqual({
      ...book,
      email: emailOf.get(orderId),
      pays: expected,
    })
  }
  for (const { email, payments, ...subscription } of ledger) {
    const paid = payments.filter(({ state }) => state === 'paid')
    expect(subscription.paidUntil, email).toBe(paidUntil(payments))
    // Bounds that do not use the code under test: at least what a single payment gives, at most all payments together.
    const spans = paid.reduce((sum, { pays }) => sum + ('span' in pays ? pays.span : 0), 0)
    const periods = paid.filter(({ pays }) => 'until' in pays)
    const longest = periods.reduce((sum, { plan: each }) => sum + (each === 'month' ? 31 : 366) * DAY, 0)
    const ends = paid.map(({ paidAt, pays }) => ('until' in pays ? pays.until : paidAt + pays.span))
    const begin = Math.min(...paid.map(({ paidAt }) => paidAt))
    if (paid.length > 0) {
      expect(subscription.paidUntil, email).toBeGreaterThanOrEqual(Math.max(...ends, begin + spans))
      expect(subscription.paidUntil, email).toBeLessThanOrEqual(
        Math.max(...paid.map(({ paidAt }) => paidAt)) + spans + longest,
      )
    }
    expect(subscription.paidUntil === 0, email).toBe(paid.length === 0)
    const renews = [...stripe.books.subscriptions.values()].some(
      (each) =>
        emailOf.get(each.metadata.mayfly_order ?? '') === email &&
        ['active', 'past_due'].includes(each.status) &&
        !each.cancel_at_period_end &&
        payments.some(({ ref }) => ref.includes(each.id)),
    )
    expect(subscription.renews, email).toBe(renews)
  }
})

/** Returns the milliseconds from a time to the same time some years later. */
function calendarYears(from: number, years: number): number {
  const end = new Date(from)
  return end.setUTCFullYear(end.getUTCFullYear() + years) - from
}
