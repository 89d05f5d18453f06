import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addressOn, closeContexts } from '#test/support/program/browser.ts'
import { link, type ListStage, openListStage, remove, rows } from './list-stage.ts'
import type { Visitor } from './stage.ts'

let stage: ListStage
beforeAll(async () => {
  stage = await openListStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

async function searching(): Promise<Visitor> {
  const visitor = await stage.withMessages('Alpha')
  await visitor.page.getByRole('button', { name: 'Search' }).click()
  await visitor.page.getByRole('searchbox').fill('Alpha')
  await visitor.page.getByText('Found: 1').waitFor()
  return visitor
}

/** Replaces the address and resolves when its stream is live. */
async function replace({ page, address }: Visitor): Promise<void> {
  await page.getByRole('button', { name: 'New random address' }).click()
  await page.getByRole('dialog').getByRole('button').last().click()
  await expect.poll(() => page.locator('output').textContent()).not.toBe(address)
}

/** Everything that ends a search: the list is empty, or belongs to another address. */
const ENDS: [string, (visitor: Visitor) => Promise<unknown>][] = [
  ['the only row is deleted', (visitor) => remove(visitor, 'Alpha')],
  ['a new address is created', replace],
  [
    'another tab creates an address, which has mail already',
    async (visitor) => {
      const { page, send } = visitor
      await page.context().setOffline(true)
      const created = await page.request.post(`${stage.program.url}/api/v1/addresses`, {
        headers: { origin: stage.program.url },
        data: { replace: true },
      })
      const { address } = (await created.json()) as { address: string }
      await send('First', { to: address })
      await page.context().setOffline(false)
      await link(visitor, 'First').waitFor()
    },
  ],
]

test.each(ENDS)('no filter stays without its search field: %s', async (_, end) => {
  const visitor = await searching()
  const { page, send } = visitor
  await end(visitor)
  await page.getByRole('searchbox').waitFor({ state: 'detached' })
  await page.locator('[data-status=live]').waitFor()
  await send('Beta', { to: await addressOn(page) })
  await link(visitor, 'Beta').waitFor()
  expect(await page.getByText('No email matches.').count()).toBe(0)
})

const focused = ({ page }: Visitor) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)

test('the focus stays in the list when what had it disappears', async () => {
  const visitor = await stage.withMessages('Five', 'Four', 'Three', 'Two', 'One')
  const { page } = visitor
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').press('Escape')
  expect(await focused(visitor)).toBe('Search')

  const press = (subject: string) => page.getByRole('button', { name: `Delete the email “${subject}”` }).press('Enter')
  await press('Two')
  await expect.poll(() => focused(visitor)).toBe('Three')
  await press('Five')
  await expect.poll(() => focused(visitor)).toBe('Four')

  await page.getByRole('button', { name: 'Select several' }).click()
  await page.getByLabel('Select “One”').check()
  await page.getByRole('group', { name: 'Select several' }).getByRole('button', { name: 'Delete' }).press('Enter')
  await expect.poll(() => focused(visitor)).toBe('Three')

  await press('Three')
  await expect.poll(() => rows(visitor).count()).toBe(1)
  await press('Four')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
})

test('the focus stays on the page when the address is deleted, and when a new one is created', async () => {
  const { page } = await stage.visit()
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByText('This address is no longer active').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.getByRole('button', { name: 'Get a new address' }).press('Enter')
  await addressOn(page)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
})
