import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { loadConfig } from '#config/load.ts'
import { serviceKey } from '#config/secret-key.ts'
import type { LetterContent } from '#core/letter.ts'
import type { Plan } from '#core/plan.ts'
import type { WrappedLetter } from '#features/letters.ts'
import { canonicalEmail } from '#mail/email-address.ts'
import { createWrap } from '#mail/sealing/wrap.ts'
import { assemble } from '../src/assembly.ts'
import { startFakeBtcpay } from './fakes/btcpay.ts'
import { startFakeStripe } from './fakes/stripe.ts'
import { newDatabase } from './postgres.ts'
import { DAY, ENGINES } from './use-cases.ts'

export type BillingHouse = Awaited<ReturnType<typeof openBillingHouse>>

/** A third party with its events and its signature over them. */
interface Sender {
  events: readonly object[]
  sign(body: string): Record<string, string>
}

/** Stands between Mayfly and a third party: an answer that it has waits there as long as a test wants. */
async function between(target: string) {
  let wait: ((path: string) => Promise<void>) | undefined
  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const { method = 'GET', headers, url = '' } = request
      const body = method === 'GET' ? null : await text(request)
      const answer = await fetch(target + url, { method, headers: headers as Record<string, string>, body })
      const bytes = await answer.text()
      await wait?.(url)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes)
    }
    forward().catch((error: unknown) => response.destroy(error as Error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Holds the next answer to a path until the test is through with something else. */
    hold(path: RegExp, meanwhile: () => Promise<void>): void {
      wait = async (asked) => {
        if (!path.test(asked)) return
        wait = undefined
        await meanwhile()
      }
    },
    close: () => void server.close(),
  }
}

/** All of Premium over a real database, with Stripe and BTCPay faked at their HTTP edge, and a clock that the test turns. */
export async function openBillingHouse(engine: (typeof ENGINES)[number] = 'SQLite', env: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'mayfly-billing-'))
  const time = { now: Date.UTC(2026, 0, 31, 12) }
  const clock = (): number => time.now
  const [stripe, btcpay] = await Promise.all([startFakeStripe({ clock }), startFakeBtcpay({ clock })])
  const toStripe = await between(stripe.url)
  const database = engine === 'PostgreSQL' ? await newDatabase(inject('postgres')) : undefined
  const config = loadConfig({
    MAYFLY_DATA_DIR: directory,
    MAYFLY_LOG_LEVEL: 'error',
    MAYFLY_PUBLIC_URL: 'https://mayfly.example',
    MAYFLY_PAYMENT_SANDBOX: 'on-public-site',
    ...stripe.env,
    ...btcpay.env,
    MAYFLY_STRIPE_API_URL: toStripe.url,
    ...(database && { MAYFLY_DATABASE_URL: database.url }),
    ...env,
  })
  const services = await assemble(config, clock)
  const { store, billing, orders } = services
  const wrap = createWrap(await serviceKey(config))
  const senders = { stripe, btcpay }
  const heard = { stripe: 0, btcpay: 0 }

  /** A webhook of one event. */
  const tell = (name: keyof typeof senders, event: object) => {
    const body = JSON.stringify(event)
    return billing.handle(name, Buffer.from(body), (senders[name] as Sender).sign(body))
  }

  return {
    ...services,
    time,
    stripe,
    toStripe,
    btcpay,
    wrap,
    tell,
    /** Events of a third party that nobody has told of yet, oldest first. */
    news(name: keyof typeof senders): object[] {
      const { events } = senders[name] as Sender
      return events.slice(heard[name], (heard[name] = events.length))
    },
    /** Tells of all of them, in their order. */
    async hear(name: keyof typeof senders): Promise<string[]> {
      const results = []
      for (const event of this.news(name)) results.push(await tell(name, event))
      return results
    },
    async order(plan: Plan, email: string, years = 1, language = 'en'): Promise<string> {
      return (await orders.create(orders.check({ plan, years, email, language }), 'browser')).id
    },
    /** Buys with a card and tells of it; answers the subscription at Stripe. */
    async buy(plan: 'month' | 'year', email: string): Promise<{ orderId: string; id: string; invoice: string }> {
      const orderId = await this.order(plan, email)
      const { id: invoice } = stripe.pay(stripe.sessionOf(orderId).id)
      await this.hear('stripe')
      return { orderId, id: stripe.subscriptionOf(orderId).id, invoice }
    },
    async subscription(email: string) {
      const found = await store.subscriptions.findByEmail(wrap.hash('email', canonicalEmail(email) ?? ''))
      return found && { ...found, payments: await store.subscriptions.payments(found.id) }
    },
    /** The mails that wait, each answered once. */
    async letters(): Promise<(LetterContent & { to: string; language: string })[]> {
      const taken = await store.letters.take(time.now, time.now + 1000 * DAY, 1000)
      return taken.map(({ id, sealed }) => {
        const { to, language, content } = JSON.parse(wrap.unwrap('letter', sealed, id)) as WrappedLetter
        return { ...content, to, language }
      })
    },
    async metric(sample: string): Promise<number> {
      const { body } = await services.metrics.render()
      const line = body.split('\n').find((each) => each.startsWith(`mayfly_${sample} `))
      return Number(line?.split(' ').at(-1) ?? 0)
    },
    async close() {
      await services.close()
      toStripe.close()
      await Promise.all([stripe.close(), btcpay.close(), database?.drop()])
      await rm(directory, { recursive: true })
    },
  }
}
