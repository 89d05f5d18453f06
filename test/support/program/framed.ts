import type { Browser, Page } from 'playwright-core'
import { PATIENCE } from './patience.ts'

export interface Framed {
  page: Page
  /** The scripts, requests and popups that occur. */
  effects: string[]
}

/** Opens an empty page of a site that has one more document, `/frame`, with its policy. Nothing else is reachable. */
export async function openFramed(
  browser: Browser,
  { site, document, csp }: { site: string; document: string; csp: string },
): Promise<Framed> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  const effects: string[] = []
  await page.exposeBinding('evil', ({ frame }) => void effects.push(`ran in ${frame.url()}`))
  context.on('page', (opened) => void effects.push(`opened ${opened.url()}`))
  page.on('dialog', (dialog) => void dialog.dismiss())
  await context.route('**/*', async (route) => {
    const { href } = new URL(route.request().url())
    if (href === `${site}/`) return route.fulfill({ body: '<!doctype html>', contentType: 'text/html' })
    if (href === `${site}/frame`) {
      const headers = { 'content-type': 'text/html', 'content-security-policy': csp }
      return route.fulfill({ body: document, headers })
    }
    effects.push(`requested ${href}`)
    return route.abort()
  })
  await page.goto(site)
  return { page, effects }
}
