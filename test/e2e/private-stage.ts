import type { BrowserContext, FrameLocator, Page } from 'playwright-core'
import type { Subscription } from '#core/billing/subscription.ts'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { type Outbox, outboxOf } from '#test/support/mail/outbox.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

/** A browser of the subscriber with everything that it sent. */
export interface Device {
  page: Page
  context: BrowserContext
  pageErrors: string[]
  sent: Buffer[]
}

/** A fully private address with the path of its inbox and its recovery phrase. */
export interface PrivateAddress {
  address: string
  path: string
  words: string
}

export interface PrivateStage extends Stage {
  subscription: Subscription
  /** Opens another browser context in which the subscriber is signed in. */
  device(path?: string): Promise<Device>
}

/** Opens a stage with a subscriber: a program of its own with these settings, or the shared one. */
export async function openPrivateStage(email: string, env?: Record<string, string>): Promise<PrivateStage> {
  const stage = await (env ? openStage({ env: { MAYFLY_SIGN_IN_LINKS_MAX: '100', ...env } }) : openStage())
  const subscription = await subscribeIn(stage.program, email)
  const outbox: Outbox = outboxOf(stage.program)
  return {
    ...stage,
    subscription,
    async device(path = '/en/private') {
      const client = await signedIn(stage.program, email, outbox)
      const { page, pageErrors } = await newVisit(stage.browser, { acceptDownloads: true })
      const context = page.context()
      await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url })))
      const sent: Buffer[] = []
      context.on('request', async (request) => {
        sent.push(Buffer.from(request.url()), request.postDataBuffer() ?? Buffer.alloc(0))
        sent.push(Buffer.from(JSON.stringify(await request.allHeaders().catch(() => ({})))))
      })
      await page.goto(stage.program.url + path)
      return { page, context, pageErrors, sent }
    },
  }
}

/** A page of a new subscriber in a new browser. */
export async function subscriberOn(stage: Stage, email: string, path: string) {
  await subscribeIn(stage.program, email)
  const client = await signedIn(stage.program, email)
  const { page } = await newVisit(stage.browser)
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url }))
  await page.context().addCookies(cookies)
  await page.goto(stage.program.url + path)
  await untilHydrated(page)
  return { page, client }
}

/** The recovery phrase on the page, which is shown until it was saved. */
export const phraseOn = async (page: Page): Promise<string> => (await page.locator('ol li').allTextContents()).join(' ')

/** Creates an address of the first free domain and opens its inbox. */
export async function makeAddress({ page }: Device, login: string): Promise<PrivateAddress> {
  await page.getByLabel('Name').first().fill(login)
  await page.getByLabel('Domain').selectOption('mayfly.test')
  await page.getByRole('button', { name: 'Create address' }).click()
  await page.getByText('Save your recovery phrase').waitFor()
  const words = await phraseOn(page)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Open inbox' }).click()
  await page.locator('[data-status=live]').waitFor()
  const { pathname, search } = new URL(page.url())
  return { address: `${login}@mayfly.test`, path: pathname + search, words }
}

/** The content of a message, which is in a frame within a frame. */
export const messageIn = (page: Page): FrameLocator =>
  page.frameLocator('iframe:not([aria-hidden])').frameLocator('iframe')
