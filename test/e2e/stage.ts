import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { sendMail } from '#test/support/mail/mail.ts'
import { addressOn, launchBrowser, newVisit } from '#test/support/program/browser.ts'
import { type Program, type ProgramOptions, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

export interface Visitor {
  page: Page
  address: string
  complaints: string[]
  send(subject: string, rest?: object): Promise<void>
}

export interface Stage {
  program: Program
  browser: Browser
  /** A visitor of /en (or `path`) whose address is there and who listens. */
  visit(options?: BrowserContextOptions & { path?: string }): Promise<Visitor>
  close(): Promise<void>
}

/** The real program and a real browser. */
export async function openStage({ env, ...options }: ProgramOptions = {}): Promise<Stage> {
  const [program, browser] = await Promise.all([
    startProgram({ ...options, env: { ...WITHOUT_LIMITS, ...env } }),
    launchBrowser(),
  ])
  return {
    program,
    browser,
    async visit({ path = '/en', ...context } = {}) {
      const { page, complaints } = await newVisit(browser, context)
      await page.goto(program.url + path)
      const address = await addressOn(page)
      await page.locator('[data-status=live]').waitFor()
      return {
        page,
        address,
        complaints,
        send: (subject, rest = {}) => sendMail(program.smtpPort, { to: address, subject, text: subject, ...rest }),
      }
    },
    async close() {
      await browser.close()
      await program.stop()
    },
  }
}

/** Counts the times that the page is loaded whole. */
export function countLoads(page: Page): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads++
  })
  return () => loads
}

/** Resolves when React has the page that the server wrote: until then a link loads the next one whole, as without scripts. */
export const untilAlive = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')))

/** As if the tab went into the background, or came back. */
export const turnTo = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
