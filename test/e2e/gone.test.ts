import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addressOn, closeContexts } from '#test/support/program/browser.ts'
import { openStage, type Stage, type Visitor } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

const openMessage = async (subject: string) => {
  const visitor = await stage.visit()
  await visitor.send(subject)
  await visitor.page.getByRole('link', { name: subject, exact: true }).click()
  await visitor.page.locator('article').waitFor()
  return visitor
}
const urlOf = (page: Page): string => page.url().slice(stage.program.url.length)
const call = ({ page }: Visitor, path: string) =>
  page.request.delete(`${stage.program.url}/api/v1${path}`, { headers: { origin: stage.program.url } })

test('an open message is reported as gone when it is deleted elsewhere, also by its URL', async () => {
  const visitor = await openMessage('Soon gone')
  const { page } = visitor
  const url = page.url()
  await call(visitor, `/messages/${new URL(url).searchParams.get('message')}`)
  await page.getByRole('alert').getByRole('heading', { name: 'This email has been deleted.', level: 1 }).waitFor()
  expect(await page.getByText('Soon gone').count()).toBe(0)
  await expect.poll(() => page.title()).toBe('This email has been deleted.')
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await page.getByText('Your inbox is empty').waitFor()
  expect((await page.goto(url))?.status()).toBe(404)
  await page.getByRole('heading', { name: 'This email no longer exists.' }).waitFor()
})

test('an open message disappears when its address is deleted', async () => {
  const visitor = await openMessage('Gone with it')
  const { page } = visitor
  // A part of the message that is still loading could report the end before the page does.
  await page.locator('#message-body iframe[style*=block-size]:not([aria-hidden])').waitFor()
  await page.getByRole('button', { name: 'Print', exact: true }).focus()
  await call(visitor, '/address')
  const alert = page.getByRole('alert')
  await alert.getByRole('heading', { name: 'This address is no longer active', level: 1 }).waitFor()
  await expect.poll(() => page.title()).toBe('This address is no longer active')
  // The button with the focus is gone.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  expect(await alert.getByRole('link', { name: 'Earlier addresses' }).getAttribute('href')).toBe('/en/change#earlier')
  await expect.poll(() => page.getByText('Gone with it').count()).toBe(0)
})

test('a part that is loading when its address is deleted leaves no other page under the URL of the message', async () => {
  const visitor = await openMessage('Half loaded')
  const { page } = visitor
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/raw', async (route) => {
    await held
    await route.continue()
  })
  await page.getByText('Details', { exact: true }).click()
  const asked = page.waitForRequest('**/raw')
  await page.getByRole('tab', { name: 'Source' }).click()
  await asked
  await call(visitor, '/address')
  await page.getByRole('alert').getByText('This address is no longer active').waitFor()
  answer()
  await page.getByRole('heading', { name: 'Your Temporary Email Address' }).waitFor()
  await expect.poll(() => urlOf(page)).toBe('/en')
  await expect.poll(() => page.title()).toBe('Temp Mail: free temporary email address · Mayfly')
})

test('the URL of a message whose address is gone becomes that of the home page', async () => {
  const visitor = await openMessage('Read again')
  const { page } = visitor
  const url = page.url()
  await page.goto(`${stage.program.url}/en/articles`)
  await call(visitor, '/address')
  await page.goto(url)
  const address = await addressOn(page)
  await expect.poll(() => urlOf(page)).toBe('/en')
  await page.reload()
  expect(await addressOn(page)).toBe(address)
})
