import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOn, newVisit } from '#test/browser.ts'
import { sendMail } from '#test/mail.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

test('without JavaScript everything is a form or a link', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Get an address' }).click()
  const address = await addressOn(page)
  expect(address).toMatch(/@mayfly\.test$/)
  expect(await page.getByText('Listening for mail').isVisible()).toBe(false)

  await sendMail(stage.program.smtpPort, { to: address, subject: 'By refresh', html: '<p>in a <b>frame</b></p>' })
  await page.getByRole('link', { name: 'Refresh' }).click()
  await page.getByRole('link', { name: 'By refresh', exact: true }).click()
  await page.frameLocator('iframe').getByText('frame').waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  expect(await page.locator('tbody tr').getAttribute('data-seen')).toBe('true')
  await page.getByRole('link', { name: 'By refresh', exact: true }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Your inbox is empty').waitFor()

  await page.getByRole('link', { name: 'Change' }).click()
  await page.getByLabel('Name').fill('admin')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('kept for the operator').waitFor()
  expect(new URL(page.url()).pathname).toBe('/en/change')
  await page.getByLabel('Name').fill('no.script')
  await page.getByLabel('Lifetime').selectOption('ten-minutes')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await addressOn(page)).toBe('no.script@mayfly.test')
  await page.getByRole('button', { name: '10 more minutes' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Get an address' }).waitFor()
})
