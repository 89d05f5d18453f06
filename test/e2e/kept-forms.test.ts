import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { keep, subscriber } from '#test/support/fixtures/kept-client.ts'
import { closeContexts, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

/** A subscriber with one kept address on a page. */
async function subscriberOn(path: string) {
  const { program, browser } = stage
  const { client, email } = await subscriber(program)
  await keep(client)
  const { page } = await newVisit(browser, { reducedMotion: 'reduce' })
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: program.url }))
  await page.context().addCookies(cookies)
  await page.goto(program.url + path)
  const away = async (): Promise<void> => {
    await page.locator('footer a[href="/en/terms"]').click()
    await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
    await page.goBack()
  }
  return { page, email, away }
}

test.each([
  ['/en/private', 'login', 'half.a.name', undefined],
  ['/en/account/developer', 'url', 'https://hooks.example/mail', undefined],
  ['/en/account/developer', 'label', 'Tests of the shop', undefined],
  ['/en/account/domains', 'domain', 'mail.shop.example', undefined],
  ['/en/account', 'label', 'Newspapers', 'Edit label'],
])('on %s, the input in the field %s is there again after Back', async (path, name, value, button) => {
  const { page, away } = await subscriberOn(path)
  const field = page.locator(`main input[name=${name}]`)
  const open = async (): Promise<void> => {
    if (button) await page.getByRole('button', { name: button }).click()
  }
  await open()
  await field.fill(value)
  await away()
  await open()
  await expect.poll(() => field.inputValue()).toBe(value)
  expect(await page.evaluate(() => sessionStorage.getItem('mayfly:forms'))).toBeNull()
})

test('the confirmation of an erasure is never kept', async () => {
  const { page, email, away } = await subscriberOn('/en/account/billing')
  const erase = () => page.getByRole('button', { name: 'Delete account' }).click()
  await erase()
  const typed = page.getByRole('dialog').getByRole('textbox')
  await typed.fill(email)
  await page.keyboard.press('Escape')
  await away()
  await erase()
  expect(await typed.inputValue()).toBe('')
})

test('a sign-in code is never kept', async () => {
  const { page } = await newVisit(stage.browser)
  await page.goto(`${stage.program.url}/en/account?sent=1`)
  const code = page.locator('input[name=code]')
  await code.fill('482913')
  await page.locator('footer a[href="/en/terms"]').click()
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('482913')
  await page.goBack()
  await code.waitFor()
  expect(await code.inputValue()).toBe('')
})
