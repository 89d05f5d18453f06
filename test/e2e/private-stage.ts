import type { BrowserContext, FrameLocator, Page } from 'playwright-core'
import type { Subscription } from '#core/billing/subscription.ts'
import { signedIn, subscribeIn } from '#test/support/fixtures/subscriber.ts'
import { type Outbox, outboxOf } from '#test/support/mail/outbox.ts'
import { newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

const EMAIL = 'ann@real.example'

/** A browser of the subscriber, and all that it sent. */
export interface Device {
  page: Page
  context: BrowserContext
  complaints: string[]
  sent: Buffer[]
}

/** A fully private address, the page of its inbox, and the words of its secret. */
export interface MadeAddress {
  address: string
  path: string
  words: string
}

export interface PrivateStage extends Stage {
  subscription: Subscription
  /** Another browser in which the subscriber has signed in. */
  device(path?: string): Promise<Device>
}

/** The program with a subscriber, who has fully private addresses. */
export async function openPrivateStage(): Promise<PrivateStage> {
  const stage = await openStage({
    env: { MAYFLY_SIGN_IN_LINKS_MAX: '100', MAYFLY_SIGN_IN_BURST: '100', MAYFLY_SWEEP_SECONDS: '1' },
  })
  const subscription = await subscribeIn(stage.program, EMAIL)
  const outbox: Outbox = outboxOf(stage.program)
  return {
    ...stage,
    subscription,
    async device(path = '/en/private') {
      const client = await signedIn(stage.program, EMAIL, outbox)
      const { page, complaints } = await newVisit(stage.browser, { acceptDownloads: true })
      const context = page.context()
      await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url: stage.program.url })))
      const sent: Buffer[] = []
      context.on('request', async (request) => {
        sent.push(Buffer.from(request.url()), request.postDataBuffer() ?? Buffer.alloc(0))
        sent.push(Buffer.from(JSON.stringify(await request.allHeaders().catch(() => ({})))))
      })
      await page.goto(stage.program.url + path)
      return { page, context, complaints, sent }
    },
  }
}

/** The words of the secret, which are on the page this once. */
export const wordsOn = async (page: Page): Promise<string> => (await page.locator('ol li').allTextContents()).join(' ')

/** Makes an address of the first free domain, and opens its inbox. */
export async function makeAddress({ page }: Device, login: string): Promise<MadeAddress> {
  await page.getByLabel('Name').first().fill(login)
  await page.getByLabel('Domain').selectOption('mayfly.test')
  await page.getByRole('button', { name: 'Make the address' }).click()
  await page.getByText('Save the 24 words').waitFor()
  const words = await wordsOn(page)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Open the inbox' }).click()
  await page.locator('[data-status=live]').waitFor()
  const { pathname, search } = new URL(page.url())
  return { address: `${login}@mayfly.test`, path: pathname + search, words }
}

/** A mail, in the frame within the frame. */
export const mailIn = (page: Page): FrameLocator => page.frameLocator('iframe').frameLocator('iframe')
