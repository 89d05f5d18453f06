import type { Stripe } from 'stripe'
import type { OrderState } from '#core/billing/order.ts'
import type { ProviderReport } from '#core/billing/payment.ts'
import type { PaymentPorts } from '../payment-ports.ts'
import { type Ask, each, idOf, ORDER, orUndefined, PRICE } from './client.ts'
import { isSold, periodLine, planOfKey, priceId } from './invoice.ts'
import type { StripeOptions } from './options.ts'
import { isPaidAfter, mayCharge, reportOf } from './report.ts'

const PAGE = { limit: 100 }

/** The state of a subscription that takes money although its order was removed. Only the operator can return it. */
const orderRemoved = (orderId: string, mismatch: string): ProviderReport => ({
  orderId,
  state: 'mismatch',
  source: undefined,
  payments: [],
  mismatch,
})

/** Reads the state of `session:…`, `subscription:…`, `invoice:…` or `charge:…`. */
export function createRead(
  stripe: Stripe,
  ask: Ask,
  { lookupKeys }: Pick<StripeOptions, 'lookupKeys'>,
  orders: PaymentPorts['orders'],
) {
  const find = <T>(call: Promise<T>): Promise<T | undefined> => ask(orUndefined(call))
  const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
    const items: T[] = []
    for await (const item of each(ask, list)) items.push(item)
    return items
  }

  const soldPrices = async (): Promise<Stripe.Price[]> =>
    (await ask(stripe.prices.list({ lookup_keys: Object.values(lookupKeys), ...PAGE }))).data

  /**
   * Whether a subscription without an order was sold here: another service may use the same Stripe account with other
   * look-up keys. A price that was raised has lost its key, so its product counts.
   */
  async function isOwn({ items }: Stripe.Subscription): Promise<boolean> {
    const prices = items.data.map(({ price }) => price)
    if (prices.some((price) => planOfKey(price, lookupKeys) !== undefined)) return true
    const former = prices.filter(({ lookup_key: key }) => key === null).map(({ product }) => idOf(product))
    return former.length > 0 && (await soldPrices()).some(({ product }) => former.includes(idOf(product)))
  }

  async function readSession(id: string): Promise<ProviderReport | undefined> {
    const session = await find(stripe.checkout.sessions.retrieve(id))
    const orderId = session?.metadata?.[ORDER]
    if (!session || orderId === undefined) return undefined
    const subscription = idOf(session.subscription)
    if (subscription !== undefined) return readSubscription(subscription)
    const order = await orders.find(orderId)
    if (order?.provider !== 'stripe') return undefined
    const states: Record<string, OrderState> = { open: 'open', expired: 'expired' }
    const state = states[session.status ?? ''] ?? 'pending'
    return { orderId: order.id, state, source: undefined, payments: [], mismatch: undefined }
  }

  async function moneyOf({ id, customer }: Stripe.Subscription) {
    const [invoices, charges] = await Promise.all([
      all(stripe.invoices.list({ subscription: id, expand: ['data.payments'], ...PAGE })),
      all(stripe.charges.list({ customer: idOf(customer) ?? '', ...PAGE })),
    ])
    return { invoices, charges }
  }

  /** Reads a subscription whose order was removed with its account, but that was paid afterwards. */
  async function readRemoved(subscription: Stripe.Subscription, orderId: string): Promise<ProviderReport | undefined> {
    const { id, ended_at: endedAt } = subscription
    if ((endedAt === null && !mayCharge(subscription)) || !(await isOwn(subscription))) return undefined
    if (endedAt === null) return orderRemoved(orderId, `subscription ${id} charges, but its order was removed`)
    const { invoices, charges } = await moneyOf(subscription)
    const isLate = invoices.some((invoice) => isPaidAfter(endedAt, invoice, charges))
    return isLate ? orderRemoved(orderId, `subscription ${id} was paid after its order was removed`) : undefined
  }

  async function readSubscription(id: string): Promise<ProviderReport | undefined> {
    const subscription = await find(stripe.subscriptions.retrieve(id))
    const orderId = subscription?.metadata[ORDER]
    if (!subscription || orderId === undefined) return undefined
    const order = await orders.find(orderId)
    if (!order) return readRemoved(subscription, orderId)
    if (order.provider !== 'stripe') return undefined
    const { invoices, charges } = await moneyOf(subscription)
    const disputed = charges.filter((charge) => charge.disputed)
    const disputes = await Promise.all(
      disputed.map((charge) => all(stripe.disputes.list({ charge: charge.id, ...PAGE }))),
    )
    const prices = await pricesOf(subscription, invoices)
    return reportOf({ order, subscription, invoices, charges, disputes: disputes.flat(), prices, lookupKeys })
  }

  /**
   * Returns the prices of all invoices. The subscription itself has only the current price. If one of them is no longer
   * sold, adds the price of the first payment and those with the look-up keys, for `planOfPrice`.
   */
  async function pricesOf(
    subscription: Stripe.Subscription,
    invoices: Stripe.Invoice[],
  ): Promise<Map<string, Stripe.Price>> {
    const prices = new Map(subscription.items.data.map(({ price }) => [price.id, price]))
    const ids = new Set(invoices.map((invoice) => priceId(periodLine(invoice))))
    const missing = [...ids].filter((id) => id !== undefined && !prices.has(id)) as string[]
    const add = (found: readonly Stripe.Price[]): void => found.forEach((price) => prices.set(price.id, price))
    add(await Promise.all(missing.map((id) => ask(stripe.prices.retrieve(id)))))
    if ([...prices.values()].every((price) => isSold(price, { subscription, lookupKeys }))) return prices
    const sold = await soldPrices()
    const first = subscription.metadata[PRICE]
    const bought = first === undefined || prices.has(first) ? undefined : await find(stripe.prices.retrieve(first))
    add(bought ? [...sold, bought] : sold)
    return prices
  }

  async function readInvoice(id: string): Promise<ProviderReport | undefined> {
    const invoice = await find(stripe.invoices.retrieve(id))
    const subscription = idOf(invoice?.parent?.subscription_details?.subscription)
    return subscription === undefined ? undefined : readSubscription(subscription)
  }

  async function readCharge(id: string): Promise<ProviderReport | undefined> {
    const charge = await find(stripe.charges.retrieve(id))
    const intent = idOf(charge?.payment_intent)
    if (intent === undefined) return undefined
    const payment = { type: 'payment_intent', payment_intent: intent } as const
    const { data } = await ask(stripe.invoicePayments.list({ payment, limit: 1 }))
    const invoice = idOf(data[0]?.invoice as string | Stripe.Invoice | undefined)
    return invoice === undefined ? undefined : readInvoice(invoice)
  }

  const readers = new Map(
    Object.entries({ session: readSession, subscription: readSubscription, invoice: readInvoice, charge: readCharge }),
  )
  return async (subject: string): Promise<ProviderReport | undefined> => {
    const [kind = '', id = ''] = subject.split(':')
    return readers.get(kind)?.(id)
  }
}
