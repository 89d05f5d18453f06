import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { packagedChromium } from './packaged-chromium.ts'
import { PATIENCE } from './patience.ts'

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages share processes where their isolation permits it: a visit takes a seventh less CPU time.
  '--renderer-process-limit=1',
]
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** A user agent without "HeadlessChrome", which counts as a crawler; crawlers get no address. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** The first executable in `PATH` that has one of these names. */
export function onPath(...names: string[]): string | undefined {
  const directories = (process.env.PATH ?? '').split(delimiter)
  return directories.flatMap((directory) => names.map((name) => join(directory, name))).find((path) => existsSync(path))
}

/** The browser of this machine, or the one from npm. */
export async function findBrowser(): Promise<{ path: string; env?: Record<string, string> }> {
  const path = onPath(...NAMES)
  return path === undefined ? packagedChromium() : { path }
}

export async function launchBrowser(): Promise<Browser> {
  const { path, env } = await findBrowser()
  return chromium.launch({ executablePath: path, args: FLAGS, env: { ...process.env, ...env }, timeout: PATIENCE })
}

let shared: Promise<Browser> | undefined

/**
 * The browser of this process. Test files use it one after the other, because its start takes longer than most tests. They
 * close their contexts, not the browser.
 */
export async function borrowBrowser(): Promise<Browser> {
  const launched = await shared?.catch(() => undefined)
  if (launched?.isConnected()) return launched
  return (shared = launchBrowser())
}

/** Closes the contexts, except those of others. */
export async function closeContexts(browser: Browser, others: readonly BrowserContext[] = []): Promise<void> {
  await Promise.all(browser.contexts().map((each) => (others.includes(each) ? undefined : each.close())))
}

export interface Visit {
  page: Page
  /** Errors of the page: exceptions, and errors and warnings on the console. */
  pageErrors: string[]
}

/**
 * A visitor with an empty profile who prefers reduced motion. Without a graphics card, the endless animations of a few
 * pages would take half a core from other tests. Tests of animations set `no-preference`.
 */
export async function newVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  // Requests of a service worker can't be intercepted, so only its own tests enable it.
  const quiet = { serviceWorkers: 'block', reducedMotion: 'reduce' } as const
  const context = await browser.newContext({ userAgent: USER_AGENT, ...quiet, ...options })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  const pageErrors: string[] = []
  const listen = (each: Page): void => {
    each.on('pageerror', (error) => pageErrors.push(error.message))
    each.on('console', (message) => {
      const ours = !message.text().endsWith('blocked by Playwright')
      if (ours && ['error', 'warning'].includes(message.type())) pageErrors.push(message.text())
    })
  }
  listen(page)
  context.on('page', listen)
  return { page, pageErrors }
}

/** The address on the page. Waits until there is one. */
export async function addressOn(page: Page): Promise<string> {
  const text = await page.locator('output').textContent()
  return text ?? ''
}
