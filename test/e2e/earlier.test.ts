import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOn, newVisit } from '#test/support/program/browser.ts'
import { openStage, type Stage, untilHydrated } from './stage.ts'
import { violations } from './violations.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const list = (page: Page) => page.getByRole('region', { name: 'Earlier addresses' })
const random = (page: Page) => page.getByRole('button', { name: 'New random address' })

test('a new random address asks first if there are messages, and takes the chosen domain', async () => {
  const { page, address, send } = await stage.visit()
  await page.getByLabel('Domain').selectOption('dayfly.test')
  await random(page).click()
  await expect.poll(() => addressOn(page)).toMatch(/@dayfly\.test$/)
  const second = await addressOn(page)
  await page.locator('[data-status=live]').waitFor()
  await send('Would be lost', { to: second })
  await page.getByRole('link', { name: 'Would be lost', exact: true }).waitFor()
  await random(page).click()
  await page.getByRole('dialog').getByText(second).waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(await addressOn(page)).toBe(second)
  await random(page).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await expect.poll(() => addressOn(page)).not.toBe(second)

  await page.getByRole('link', { name: 'Change' }).first().click()
  await list(page).getByText(second.split('@')[0]!).waitFor()
  await list(page).getByText(address.split('@')[0]!).waitFor()
  expect(await violations(page)).toEqual([])
  // Scripts can read no secret.
  const cookies = await page.context().cookies()
  expect(cookies.find(({ name }) => name === 'mayfly_earlier')).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  expect(await page.evaluate(() => document.cookie)).not.toContain('earlier')

  await list(page)
    .getByRole('button', { name: `Use again ${second}` })
    .click()
  await expect.poll(() => addressOn(page)).toBe(second)
  await page.locator('[data-status=live]').waitFor()
  expect(await page.getByText('Would be lost').count()).toBe(0)
  await send('Arrives again', { to: second })
  await page.getByRole('link', { name: 'Arrives again', exact: true }).waitFor()
  await expect(send('No longer there', { to: address })).rejects.toThrow('550 5.1.1')
})

test('the change page says what is replaced, and the list can be forgotten, without JavaScript', async () => {
  const { page } = await newVisit(stage.browser, { javaScriptEnabled: false })
  await page.goto(`${stage.program.url}/en`)
  await page.getByRole('button', { name: 'Get an address' }).click()
  const first = await addressOn(page)
  const names = ['river.one', 'river.two', 'river.three']
  for (const name of names) {
    await page.goto(`${stage.program.url}/en/change`)
    await page.getByText(/^Your current address .* will be deleted/).waitFor()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    expect(await addressOn(page)).toBe(`${name}@mayfly.test`)
  }
  await page.goto(`${stage.program.url}/en/change`)
  expect(await list(page).locator('li').count()).toBe(3)
  await list(page)
    .getByRole('button', { name: `Remove ${first} from the list` })
    .click()
  expect(await list(page).locator('li').count()).toBe(2)
  await list(page).getByRole('button', { name: 'Use again river.one@mayfly.test' }).click()
  expect(await addressOn(page)).toBe('river.one@mayfly.test')
  await page.goto(`${stage.program.url}/en/change`)
  await list(page).getByRole('button', { name: 'Clear list' }).click()
  await page.getByRole('heading', { name: 'Choose your address' }).waitFor()
  expect(await list(page).count()).toBe(0)
  // The current one comes onto the list when it is replaced.
  await page.getByLabel('Name').fill('river.four')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.goto(`${stage.program.url}/en/change`)
  expect(await list(page).locator('li').count()).toBe(1)
  await page.context().close()
})

test('a deleted address can be taken again by its browser, and by nobody else', async () => {
  const { page, address } = await stage.visit()
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('This address is no longer active').waitFor()
  const [login] = address.split('@')
  const other = await stage.visit({ path: '/en' })
  await other.page.goto(`${stage.program.url}/en/change`)
  await other.page.getByLabel('Name').fill(login!)
  await other.page.getByRole('button', { name: 'Save', exact: true }).click()
  await other.page.getByText('This address is in use').waitFor()

  await page.getByRole('link', { name: 'Earlier addresses' }).click()
  await list(page)
    .getByRole('button', { name: `Use again ${address}` })
    .click()
  await expect.poll(() => addressOn(page)).toBe(address)
})

test('the generator suggests addresses, draws others, and one is taken', async () => {
  const { page, address } = await stage.visit({ path: '/en/email-generator' })
  const suggestions = page.getByRole('region', { name: 'Suggestions' })
  const names = () => suggestions.locator('li bdi').allInnerTexts()
  await expect.poll(async () => (await names()).length).toBe(5)
  const before = await names()
  await suggestions.getByRole('button', { name: 'Generate another' }).click()
  await expect.poll(names).not.toEqual(before)
  await suggestions.getByLabel('Domain').selectOption('dayfly.test')
  const [first = ''] = await names()
  expect(first).toMatch(/^[a-z]+\.[a-z]+\.[a-z]+\d+@dayfly\.test$/)
  expect(await violations(page)).toEqual([])
  await suggestions.getByRole('button', { name: `Use it ${first}` }).click()
  await expect.poll(() => addressOn(page)).toBe(first)
  expect(first).not.toBe(address)
})

test('a new address keeps the focus on the page when its button goes, unless it comes by itself', async () => {
  const { page } = await stage.visit()
  const focused = () => page.evaluate(() => document.activeElement?.id)
  expect(await focused()).toBe('')
  await page.goto(`${stage.program.url}/en/10-minute-mail`)
  const get = page.getByRole('button', { name: 'Get a 10-minute address' })
  await untilHydrated(page)
  await get.focus()
  await page.keyboard.press('Enter')
  await get.waitFor({ state: 'detached' })
  expect(await focused()).toBe('main')
})
