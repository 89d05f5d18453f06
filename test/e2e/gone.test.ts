import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeContexts } from '#test/support/program/browser.ts'
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
  await page.getByRole('button', { name: 'Print' }).focus()
  await call(visitor, '/address')
  const alert = page.getByRole('alert')
  await alert.getByRole('heading', { name: 'This address is no longer active', level: 1 }).waitFor()
  await expect.poll(() => page.title()).toBe('This address is no longer active')
  // The button with the focus is gone.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  expect(await alert.getByRole('link', { name: 'Earlier addresses' }).getAttribute('href')).toBe('/en/change#earlier')
  await expect.poll(() => page.getByText('Gone with it').count()).toBe(0)
})
