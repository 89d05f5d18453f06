import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** The WCAG violations of a page that axe finds. */
export async function violations(page: Page): Promise<string[]> {
  // Axe cannot inspect frames without scripts. Their content comes from senders.
  const { violations: found } = await new AxeBuilder({ page }).exclude('iframe').analyze()
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}
