import type { Order } from '#core/billing/order.ts'
import type { PaymentProvider } from '#core/billing/payment.ts'
import type { Logger } from '#core/telemetry.ts'
import type { PaymentPorts } from './payment-ports.ts'

export const NOW = Date.UTC(2026, 0, 31, 12)
export const TOLERANCE = 300_000

/** Returns an order, by default for a month by card. */
export function newOrder(fields: Partial<Order> = {}): Order {
  return {
    id: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url'),
    emailKey: 'e'.repeat(22),
    sealedEmail: new Uint8Array(),
    language: 'en',
    provider: 'stripe',
    plan: 'month',
    years: 1,
    total: { amount: 900, currency: 'USD' },
    state: 'open',
    providerRef: null,
    browserHash: 'b'.repeat(22),
    sessionId: null,
    createdAt: NOW,
    ...fields,
  }
}

/** Returns ports with orders and recorded payments that a test can add, a clock that it can set, and the logged lines. */
export function testPorts() {
  const orders = new Map<string, Order>()
  const lines: { level: string; fields: object; message: string }[] = []
  const log = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
  const logger: Logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const time = { now: NOW }
  const recorded = new Set<string>()
  const ports: PaymentPorts = {
    orders: { find: async (id) => orders.get(id) },
    subscriptions: { hasPayment: async (provider, id) => recorded.has(`${provider} ${id}`) },
    clock: () => time.now,
    logger,
  }
  return { orders, recorded, lines, time, ports }
}

/** The pages to which a test checkout links. */
export const PAGES = { doneUrl: 'https://mayfly.example/en/done', backUrl: 'https://mayfly.example/en/premium' }

export async function toList<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Creates the checkout of an order, and stores its reference in the order. */
export async function checkOut(provider: PaymentProvider, orders: Map<string, Order>, order: Order) {
  orders.set(order.id, order)
  const checkout = await provider.checkout({ order, email: 'reader@example.org', ...PAGES })
  order.providerRef = checkout.ref
  return checkout
}
