import { expect, test } from 'vitest'
import { addressOn } from '#test/browser.ts'
import { openStage } from './stage.ts'

test('an address ends before the eyes of its visitor', { timeout: 120_000 }, async () => {
  // The shortest lifetime that can be set, and no sweep in it: the page looks by itself.
  const stage = await openStage({ env: { MAYFLY_TEN_MINUTES_LIFETIME_MINUTES: '1', MAYFLY_SWEEP_SECONDS: '600' } })
  const { page, send } = await stage.visit()
  await page.goto(`${stage.program.url}/en/change`)
  await page.getByLabel('Lifetime').selectOption('ten-minutes')
  await page.getByRole('button', { name: 'A random one' }).click()
  await page.getByText(/^00:5\d left/).waitFor()
  const to = await addressOn(page)
  await send('Will be gone', { to })
  await page.getByRole('link', { name: 'Will be gone', exact: true }).waitFor()
  await page.getByText('This address has ended').waitFor({ timeout: 70_000 })
  expect(await page.getByText('Will be gone').count()).toBe(0)
  await expect(send('Too late', { to })).rejects.toThrow('550 5.1.1')
  await page.getByRole('button', { name: 'Get a new address' }).click()
  await expect.poll(() => addressOn(page)).not.toBe(to)
  await stage.close()
})
