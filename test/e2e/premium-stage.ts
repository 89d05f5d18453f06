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
  /** Opens a page in a new browser context, with the cookies of `client` if given. */
  open(path: string, client?: SiteClient): Promise<Visit>
  /** Sets the clocks of the program, the fake providers and all open pages to `days` after the start. */
  advanceTo(days: number): Promise<void>
}

/** Starts the program with HTTP fakes of Stripe and BTCPay. The test controls the clock of all of them. */
export async function openPremiumStage(): Promise<PremiumStage> {
  let ahead = 0
  const clock = (): number => Date.now() + ahead
  const [stripe, btcpay] = await Promise.all([startFakeStripe({ clock }), startFakeBtcpay({ clock })])
  const stage = await openStage({ env: { ...stripe.env, ...btcpay.env }, turnable: true })
  const { program, browser } = stage
  stripe.eventUrl = `${program.url}/webhooks/stripe`
  btcpay.eventUrl = `${program.url}/webhooks/btcpay`
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
    async advanceTo(days) {
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

/** Fills in the open plan form and continues to the payment. */
export async function order(page: Page, email: string, plan: string): Promise<void> {
  await page.getByRole('radio', { name: plan }).check()
  await page.getByLabel('Your real email').fill(email)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
}
