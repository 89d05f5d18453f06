import type { Page } from 'playwright-core'
import { DAY } from '#core/time.ts'
import { type FakeBtcpay, startFakeBtcpay } from '#test/support/fakes/btcpay.ts'
import { type FakeStripe, startFakeStripe } from '#test/support/fakes/stripe.ts'
import type { SiteClient } from '#test/support/fixtures/subscriber.ts'
import { type Outbox, outboxOf } from '#test/support/mail/outbox.ts'
import { newVisit, type Visit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

export interface PremiumStage extends Stage {
  stripe: FakeStripe
  btcpay: FakeBtcpay
  outbox: Outbox
  /** A page in a browser of its own; one in which somebody is signed in already. */
  open(path: string, client?: SiteClient): Promise<Visit>
  /** So many days after the start, for the program, the third parties and the browsers that are open. */
  turn(days: number): Promise<void>
}

/** The program with Stripe and BTCPay, faked at their HTTP edge, and a clock that the test turns for all of them. */
export async function openPremiumStage(): Promise<PremiumStage> {
  let ahead = 0
  const clock = (): number => Date.now() + ahead
  const [stripe, btcpay] = await Promise.all([startFakeStripe({ clock }), startFakeBtcpay({ clock })])
  const stage = await openStage({ env: { ...stripe.env, ...btcpay.env }, turnable: true })
  const { program, browser } = stage
  stripe.webhookUrl = `${program.url}/webhooks/stripe`
  btcpay.webhookUrl = `${program.url}/webhooks/btcpay`
  return {
    ...stage,
    stripe,
    btcpay,
    outbox: outboxOf(program),
    async open(path, client) {
      const visit = await newVisit(browser, { reducedMotion: 'reduce' })
      const cookies = [...(client?.cookies ?? [])].map(([name, value]) => ({ name, value, url: program.url }))
      await visit.page.context().addCookies(cookies)
      await visit.page.goto(program.url + path)
      return visit
    },
    async turn(days) {
      ahead = days * DAY
      await Promise.all([
        program.turn(ahead, { passes: true }),
        ...browser.contexts().map((context) => context.clock.setSystemTime(clock())),
      ])
    },
    async close() {
      await stage.close()
      await Promise.all([stripe.close(), btcpay.close()])
    },
  }
}

/** Fills in the form of the plans that is open, and goes on to the payment. */
export async function order(page: Page, email: string, plan: string): Promise<void> {
  await page.getByRole('radio', { name: plan }).check()
  await page.getByLabel('Your real email').fill(email)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
}
