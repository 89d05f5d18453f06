import { type ElementHandle, launch } from 'puppeteer-core'
import { PATIENCE } from '../program/patience.ts'
import type { OpenBrowser, Tab } from './tab.ts'

/** Firefox as it is packaged, which speaks WebDriver BiDi without another program. */
export async function openFirefox(path: string): Promise<OpenBrowser> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: path,
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
    defaultViewport: { width: 1280, height: 900 },
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
  })
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE)
  const evaluate: Tab['evaluate'] = (call, argument) => page.evaluate(call as never, argument) as never
  return {
    version: await browser.version(),
    tab: {
      async goto(url) {
        await page.goto(url)
      },
      evaluate,
      async click(find, argument) {
        const handle = await page.evaluateHandle(find as (each: unknown) => unknown, argument)
        const element = handle.asElement() as ElementHandle<Element> | null
        if (!element) throw new Error(`Nothing to click: ${JSON.stringify(argument)}`)
        await element.click()
      },
      type: (text) => page.keyboard.type(text),
      async paste() {
        await page.keyboard.down('Control')
        await page.keyboard.press('v')
        await page.keyboard.up('Control')
      },
      async forget() {
        const context = page.browserContext()
        await context.deleteCookie(...(await context.cookies()))
      },
      async textOfFrames() {
        const frames = page.frames().filter((frame) => frame !== page.mainFrame())
        const texts = await Promise.all(frames.map((frame) => frame.evaluate(() => document.body.innerText)))
        return texts.join('\n')
      },
    },
    close: () => browser.close(),
  }
}
