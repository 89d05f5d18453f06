import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Returns the accessibility violations that axe finds on a page, each with its rule and element. It runs axe in the page,
 * because `@axe-core/playwright` opens a second page for each check and takes fifteen times as long.
 *
 * @param only The tags or the names of the rules to check. Default: all rules that axe enables.
 */
export async function violations(page: Page, only?: { tags: string[] } | { rules: string[] }): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const runOnly: RunOptions['runOnly'] =
    only && ('tags' in only ? { type: 'tag', values: only.tags } : { type: 'rule', values: only.rules })
  const options: RunOptions = { resultTypes: ['violations'], ...(runOnly && { runOnly }) }
  // Axe can't inspect frames without scripts. Their content comes from senders.
  const found = await page.evaluate(async (each) => {
    const { axe } = window as unknown as { axe: { run(context: object, options: object): Promise<AxeResults> } }
    return (await axe.run({ exclude: ['iframe'] }, each)).violations
  }, options)
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}
