import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What keeps people from using a page (WCAG), as axe sees it. */
export async function violations(page: Page): Promise<string[]> {
  // A frame without scripts can't be looked into; the mail in it is the sender's.
  const { violations: found } = await new AxeBuilder({ page }).exclude('iframe').analyze()
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}
