import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { keep, LIST, subscriber } from '#test/support/fixtures/kept-client.ts'
import type { SiteClient } from '#test/support/fixtures/subscriber.ts'
import { closeContexts, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'

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
  await signIn(page, client)
  await page.goto(program.url + path)
  await untilHydrated(page)
  const away = async (): Promise<void> => {
    await page.locator('footer a[href="/en/terms"]').click()
    await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
    await page.goBack()
  }
  return { page, client, email, away }
}

async function signIn(page: Page, { cookies }: SiteClient): Promise<void> {
  const all = [...cookies].map(([name, value]) => ({ name, value, url: stage.program.url }))
  await page.context().addCookies(all)
}

const kept = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage))

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
  expect(await kept(page)).not.toContain(value)
})

test('the input of an account is not shown to the next one', async () => {
  const { page, away } = await subscriberOn('/en/account/domains')
  const field = page.locator('main input[name=domain]')
  await field.fill('one.example')
  await away()
  await expect.poll(() => field.inputValue()).toBe('one.example')
  await page.getByRole('button', { name: 'Sign out of this browser' }).click()
  await page.locator('main input[name=email]').waitFor()
  await signIn(page, (await subscriber(stage.program)).client)
  await page.goto(`${stage.program.url}/en/account/domains`)
  await untilHydrated(page)
  expect(await field.inputValue()).toBe('')
  await field.fill('two.example')
  await away()
  await expect.poll(() => field.inputValue()).toBe('two.example')
})

test('a label that was saved is not kept, so a newer one is shown', async () => {
  const { page, client } = await subscriberOn('/en/account')
  const edit = () => page.getByRole('button', { name: 'Edit label' }).click()
  const field = page.locator('main input[name=label]')
  await edit()
  await field.fill('Games')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await field.waitFor({ state: 'detached' })
  expect(await kept(page)).not.toContain('Games')
  const { addresses } = await client.json(LIST)
  await client.send('PATCH', `${LIST}/${addresses[0].id}`, { label: 'Work' })
  await page.reload()
  await page.locator('strong', { hasText: 'Work' }).waitFor()
  await edit()
  expect(await field.inputValue()).toBe('Work')
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
  expect(await kept(page)).not.toContain('482913')
  await page.goBack()
  await code.waitFor()
  expect(await code.inputValue()).toBe('')
})

test('input that is being sent does not come back', async () => {
  const { page } = await newVisit(stage.browser, { reducedMotion: 'reduce' })
  await page.goto(`${stage.program.url}/en/contact`)
  await untilHydrated(page)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/support', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.locator('main [name=name]').fill('Ann')
  await page.locator('main [name=reason]').selectOption({ index: 1 })
  await page.locator('main [name=email]').fill('ann@real.example')
  await page.locator('main [name=message]').fill('Only once')
  await page.locator('main form [type=submit]').click()
  await page.getByRole('button', { name: 'Sending…' }).waitFor()
  await page.locator('footer a[href="/en/terms"]').click()
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor()
  const sent = page.waitForResponse('**/api/v1/support')
  held.resolve()
  expect((await sent).ok()).toBe(true)
  await page.goBack()
  await page.locator('main [name=message]').waitFor()
  expect(await kept(page)).not.toContain('Only once')
  expect(await page.locator('main [name=message]').inputValue()).toBe('')
})
