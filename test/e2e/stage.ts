import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { sendMail } from '#test/support/mail/mail.ts'
import { addressOn, borrowBrowser, closeContexts, newVisit } from '#test/support/program/browser.ts'
import {
  type Program,
  type ProgramOptions,
  type SharedProgram,
  startProgram,
  WITHOUT_LIMITS,
} from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

export interface Visitor {
  page: Page
  address: string
  pageErrors: string[]
  send(subject: string, rest?: object): Promise<void>
}

export interface Stage {
  program: SharedProgram
  browser: Browser
  /** Opens /en (or `path`) and resolves when its address exists and its stream is live. */
  visit(options?: BrowserContextOptions & { path?: string }): Promise<Visitor>
  close(): Promise<void>
}

/** A stage with its own program, which the test may stop. */
interface OwnStage extends Stage {
  program: Program
}

/** Takes the program and the browser that test files share. With options, it starts its own program. */
export function openStage(): Promise<Stage>
export function openStage(options: ProgramOptions): Promise<OwnStage>
export async function openStage(options?: ProgramOptions): Promise<Stage> {
  const [program, browser] = await Promise.all([
    options ? startProgram({ ...options, env: { ...WITHOUT_LIMITS, ...options.env } }) : sharedProgram(),
    borrowBrowser(),
  ])
  const others = browser.contexts()
  const own = options && (program as Program)
  return {
    program,
    browser,
    async visit({ path = '/en', ...context } = {}) {
      const { page, pageErrors } = await newVisit(browser, context)
      await page.goto(program.url + path)
      const address = await addressOn(page)
      await page.locator('[data-status=live]').waitFor()
      return {
        page,
        address,
        pageErrors,
        send: (subject, rest = {}) => sendMail(program.smtpPort, { to: address, subject, text: subject, ...rest }),
      }
    },
    async close() {
      await closeContexts(browser, others)
      await own?.stop()
    },
  }
}

/** Counts the full loads of a page. */
export function countLoads(page: Page): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads++
  })
  return () => loads
}

/** Resolves when the page is hydrated. Before that, links trigger full loads as without JavaScript. */
export const untilHydrated = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => Object.keys(document.querySelector('h1') ?? {}).some((key) => key.startsWith('__react')))

/** Simulates a tab that goes into the background or returns. */
export const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)
