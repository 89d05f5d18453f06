import type { ElementHandle } from 'playwright-core'
import { launchBrowser, newVisit } from '../program/browser.ts'
import type { OpenBrowser, Tab } from './tab.ts'

/** The Chromium of all other tests, driven by Playwright. It is always there. */
export async function openChromium(): Promise<OpenBrowser> {
  const browser = await launchBrowser()
  const { page } = await newVisit(browser)
  // The types of Playwright can't infer the argument of a generic function.
  const evaluate: Tab['evaluate'] = (call, argument) => page.evaluate(call as never, argument as never)
  return {
    version: `Chromium ${browser.version()}`,
    tab: {
      async goto(url) {
        await page.goto(url)
      },
      evaluate,
      async click(find, argument) {
        const handle = await page.evaluateHandle<unknown, unknown>(find as (each: unknown) => unknown, argument)
        const element = handle.asElement() as ElementHandle | null
        if (!element) throw new Error(`Nothing to click: ${JSON.stringify(argument)}`)
        await element.click()
      },
      type: (text) => page.keyboard.type(text),
      paste: () => page.keyboard.press('ControlOrMeta+V'),
      forget: () => page.context().clearCookies(),
      async textOfFrames() {
        const [, ...frames] = page.frames()
        const texts = await Promise.all(frames.map((frame) => frame.evaluate(() => document.body.innerText)))
        return texts.join('\n')
      },
    },
    close: () => browser.close(),
  }
}
