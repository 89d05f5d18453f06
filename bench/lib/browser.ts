import chromium from '@sparticuz/chromium'
import { type Browser, chromium as launcher, type Page } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser that says what a visitor's says: "HeadlessChrome" counts as a crawler, and a crawler gets no address. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export async function launchBrowser(): Promise<Browser> {
  return launcher.launch({ executablePath: await chromium.executablePath(), args: FLAGS })
}

/** An empty profile in a browser. */
export function newVisit(browser: Browser): Promise<Page> {
  return browser.newPage({ userAgent: USER_AGENT })
}

/** The secret that the page keeps in a cookie, and the address it opens. Waits until the page has one. */
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
