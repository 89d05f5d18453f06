import type { Browser, Page } from 'playwright-core'
import { newVisit as visit } from '../../test/support/program/browser.ts'

export { findBrowser, FLAGS, launchBrowser, USER_AGENT } from '../../test/support/program/browser.ts'

/** Opens a page with an empty profile. */
export const newVisit = async (browser: Browser): Promise<Page> => (await visit(browser)).page

/** Returns the secret in the cookie of the page and the address that it opens. Waits until the page has one. */
export async function visitor(page: Page, url: string): Promise<{ address: string; secret: string; cookie: string }> {
  for (let i = 0; i < 100; i++) {
    for (const { name, value } of await page.context().cookies()) {
      const response = await fetch(`${url}/api/v1/address`, { headers: { authorization: `Bearer ${value}` } })
      if (response.ok)
        return { address: ((await response.json()) as any).address, secret: value, cookie: `${name}=${value}` }
    }
    await page.waitForTimeout(50)
  }
  throw new Error('the page has no address')
}
