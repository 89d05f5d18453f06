import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { keep, send, subscriber } from '#test/support/fixtures/kept-client.ts'
import { signedIn } from '#test/support/fixtures/subscriber.ts'
import { closeContexts, newVisit } from '#test/support/program/browser.ts'
import { type ListStage, openListStage, remove, rows } from './list-stage.ts'
import type { Visitor } from './stage.ts'

let stage: ListStage
beforeAll(async () => {
  stage = await openListStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

/**
 * The window of a subscriber who deleted the message `Goes` of a kept address, and could still undo it. With `paused`, its
 * clock stands still since before the deletion.
 */
async function whileUndoable(login: string, { paused = false } = {}) {
  const { program, browser } = stage
  const { client, email } = await subscriber(program)
  const other = await keep(client, { login: `${login}.other` })
  const kept = await keep(client, { login: `${login}.kept` })
  await client.send('POST', `/api/v1/account/addresses/${kept.id}/open`)
  for (const subject of ['Stays', 'Goes']) await send(program, kept.address, subject)
  const { page, pageErrors } = await newVisit(browser, { reducedMotion: 'reduce' })
  const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url: program.url }))
  await page.context().addCookies(cookies)
  await page.goto(`${program.url}/en`)
  const visitor = { page, pageErrors, address: kept.address } as Visitor
  await expect.poll(() => rows(visitor).count()).toBe(2)
  await page.locator('[data-status=live]').waitFor()
  if (paused) {
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
  }
  await remove(visitor, 'Goes')
  await page.getByText('Deleted: 1', { exact: true }).waitFor()
  /** The subjects of the messages that the server has, for another browser of the subscriber. */
  async function stored(): Promise<string[]> {
    const reader = await signedIn(program, email)
    await reader.send('POST', `/api/v1/account/addresses/${kept.id}/open`)
    const { messages } = await reader.json('/api/v1/messages')
    return messages.map(({ subject }: any) => subject)
  }
  return { page, other, stored }
}

test('a deletion is carried out before the browser is signed out', async () => {
  const { page, stored } = await whileUndoable('out')
  await page.getByRole('link', { name: 'Account' }).first().click()
  const deleted = page.waitForResponse('**/messages/delete')
  await page.getByRole('button', { name: 'Sign out of this browser' }).click()
  expect((await deleted).status()).toBe(204)
  await page.getByRole('heading', { name: 'Sign in' }).first().waitFor()
  expect(await stored()).toEqual(['Stays'])
})

test('a deletion on a form that the browser sends itself is carried out', async () => {
  const { page, stored } = await whileUndoable('form')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await page.evaluate(() => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: '/actions/forget' })
    document.body.append(form)
    form.requestSubmit()
  })
  await expect.poll(() => sent).toEqual(['/api/v1/messages/delete', '/actions/forget'])
  expect(await stored()).toEqual(['Stays'])
})

test.each([
  ['does not know', 'unaware'],
  ['knows', 'aware'],
])('a deletion is not lost without a word if this window %s that another one left its address', async (_, login) => {
  const { page, other, stored } = await whileUndoable(login, { paused: login === 'unaware' })
  const { url } = stage.program
  if (login === 'unaware') await page.route('**/api/v1/{events*,address}', (route) => route.abort())
  const response = page.waitForResponse('**/messages/delete')
  const opened = await page.request.post(`${url}/api/v1/account/addresses/${other.id}/open`, {
    headers: { origin: url },
  })
  expect(opened.status()).toBe(200)
  if (login === 'unaware') await page.clock.fastForward(8100)
  expect((await response).status()).toBe(401)
  await page.getByText('Not deleted: 1').waitFor()
  expect(await stored()).toEqual(['Goes', 'Stays'])
})
