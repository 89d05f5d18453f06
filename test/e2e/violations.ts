import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * The accessibility violations of a page that axe finds, with the elements. Runs axe in the page itself:
 * `@axe-core/playwright` opens a second page for each result and takes fifteen times as long.
 *
 * @param tags Rules to check; without it, those that axe checks by default.
 */
export async function violations(page: Page, tags?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const options: RunOptions = { resultTypes: ['violations'], ...(tags && { runOnly: tags }) }
  // Axe can't inspect frames without scripts. Their content comes from senders.
  const found = await page.evaluate(async (each) => {
    const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<AxeResults> } }
    return (await axe.run({ exclude: ['iframe'] }, each)).violations
  }, options)
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}
