import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPrivateStage, type PrivateStage } from './private-stage.ts'

let stage: PrivateStage
beforeAll(async () => {
  stage = await openPrivateStage('ann.contrast@real.example')
})
afterAll(() => stage.close())

/** The widths of the lower borders. Forced colors show every border, and no background. */
const borders = (elements: Locator): Promise<string[]> =>
  elements.evaluateAll((all) => all.map((each) => getComputedStyle(each).borderBlockEndWidth))

test('in forced colors, only the current tab of the account has a line', async () => {
  const { page } = await stage.device('/en/account/developer')
  await page.emulateMedia({ forcedColors: 'active' })
  const tabs = page.getByRole('navigation', { name: 'Account' }).getByRole('link')
  expect(await borders(tabs)).toEqual(['0px', '0px', '3px', '0px'])
  // The words of all tabs are on one line.
  const tops = await tabs.evaluateAll((all) =>
    all.map((each) => {
      const range = document.createRange()
      range.selectNodeContents(each)
      return range.getBoundingClientRect().top
    }),
  )
  expect(new Set(tops).size).toBe(1)
})

test('in forced colors, the open message, its view, the filter and the language are marked', async () => {
  const { page, send } = await stage.visit({ forcedColors: 'active', viewport: { width: 1280, height: 900 } })
  await send('First')
  await send('Second')
  await page.getByRole('link', { name: 'First', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Second', exact: true }).click()
  await page.locator('article').waitFor()
  expect(await borders(page.getByRole('navigation', { name: 'Inbox' }).getByRole('link'))).toEqual(['2px', '0px'])
  await page.getByText('Details', { exact: true }).click()
  expect(await borders(page.getByRole('tab'))).toEqual(['3px', '0px', '0px'])
  await page.getByRole('tab', { name: 'Source' }).click()
  expect(await borders(page.getByRole('tab'))).toEqual(['0px', '3px', '0px'])
  await page.getByRole('button', { name: 'English' }).click()
  const marked = (await borders(page.locator('#languages a'))).filter((width) => width !== '0px')
  expect(marked).toEqual(['2px'])
})
